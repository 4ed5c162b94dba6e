#pragma once
// Finds the files that a source includes by searching for their names; nothing is preprocessed.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

struct NamedFile {
  std::filesystem::path path;
  std::string content;
};

/// The text of a file; none if the file is to be left out.
using FileReader = std::function<Result<std::optional<std::string>>(const std::filesystem::path&)>;

/// Those of `files` whose plain names occur in `source`, or in a file found this way, in the order in which
/// they are found. The first of several files with one name counts. Error: the error of `read`.
Result<std::vector<NamedFile>> named_files(const std::string& source,
                                           const std::vector<std::filesystem::path>& files,
                                           const FileReader& read);

}  // namespace cudalabs
