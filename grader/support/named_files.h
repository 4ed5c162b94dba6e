#pragma once
// Which files a source includes, as far as their names tell: nothing is preprocessed.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/support/result.h"

namespace cudalabs {

struct NamedFile {
  std::filesystem::path path;
  std::string content;
};

/// The text of a file; none if it is to be left out.
using FileReader = std::function<Result<std::optional<std::string>>(const std::filesystem::path&)>;

/// Those of `files` whose plain names stand in `source`, or in one of those found so, in the order in which
/// they are met. Of several files with one name the first is taken. Error: what `read` says.
Result<std::vector<NamedFile>> named_files(const std::string& source,
                                           const std::vector<std::filesystem::path>& files,
                                           const FileReader& read);

}  // namespace cudalabs
