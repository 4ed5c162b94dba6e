#pragma once
// Finds the files that a source includes by searching for their names; nothing is preprocessed.

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

/// The endings of files that a source may include: everywhere the same, in a folder as in an archive.
inline constexpr std::array<std::string_view, 17> kSourceEndings = {
    ".cu",  ".cuh", ".h",   ".hh", ".hpp", ".hxx", ".h++", ".inl", ".inc",
    ".ipp", ".tpp", ".tcc", ".c",  ".cc",  ".cpp", ".cxx", ".def"};
bool has_source_ending(std::string_view path);

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
