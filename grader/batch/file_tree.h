#pragma once
// What a teacher hands to a batch, as one value: a folder, an archive and a single file become the same list
// of named texts, archives in archives opened. What follows (layouts.h) knows no files.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/support/result.h"

namespace cudalabs {

struct TreeFile {
  std::string path;     ///< below the tree, with '/', without "." and ".."; of a folder with '/' at its end
  std::string content;  ///< of sources, and of what services put beside them; of other files empty
  std::int64_t modified = 0;  ///< seconds since 1970; 0: not known
  std::string problem;        ///< why it could not be read: a sentence without a final stop
  std::string place{};        ///< the path that it has in the whole tree, whatever part of it is looked at
  bool replaced = false;  ///< an archive has it more than once, not always with this content; it is the last
};

/// Entries whose names lead out of their archive or are too long.
struct LeftOut {
  std::vector<std::string> names;  ///< of the first ones, shortened
  std::size_t more = 0;
};

struct FileTree {
  std::string name;             ///< of the folder, the archive or the file, without its ending
  std::string place;            ///< as it was named on the command line
  std::vector<TreeFile> files;  ///< by path
  bool single_file = false;     ///< the source is one .cu file
  LeftOut left_out;
};

/// What Gradescope puts into a download: who handed in what.
inline constexpr std::string_view kGradescopeTable = "submission_metadata.yml";

inline constexpr std::size_t kMaxTreeFiles = 200'000;
/// Of all texts of one tree together, and of what one archive unpacks to.
inline constexpr std::uint64_t kMaxTreeBytes = 512ULL << 20;
inline constexpr std::uint64_t kMaxUnpackedBytes = 2ULL << 30;
/// The same of one archive within the source, with those in it: a student's.
inline constexpr std::size_t kMaxInnerTreeFiles = 20'000;
inline constexpr std::uint64_t kMaxInnerTreeBytes = 64ULL << 20;
inline constexpr std::uint64_t kMaxInnerUnpackedBytes = 256ULL << 20;

/// Is it an archive, by its name? zip, tar, and tar packed with gzip, bzip2, xz or zstd.
bool is_archive_name(std::string_view name);

/// Errors: no such file, a folder that cannot be read, an archive that cannot be opened, more than the
/// limits above also without the students (folders and archives beside one another, below such as hold
/// everything, or what a service gave one number) who have more than an archive within may hold: in the
/// place of all that is such a student's there is a folder with a problem then. Links are not followed.
/// A file that alone cannot be read, and an archive within that is broken or holds too much, has a problem.
/// What has a path of more than 1024 letters or 64 parts, or one that leads out, is left out.
Result<FileTree> read_tree(const std::filesystem::path& source);

/// The tree of an archive's bytes; `name` says what messages call it.
Result<FileTree> unpack(std::string_view bytes, const std::string& name);

}  // namespace cudalabs
