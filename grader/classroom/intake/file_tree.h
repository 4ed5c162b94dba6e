#pragma once
// Reads a batch's input as one value. A folder, an archive and a single file all become a list of named
// texts. Nested archives are opened, and so are notebooks, whose cells are files of theirs. Later stages
// (layouts.h) do not access files.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"
#include "grader/base/result.h"

namespace cudalabs {

struct TreeFile {
  std::string path;     ///< relative to the tree, with '/', without "." and ".."; a folder's ends in '/'
  std::string content;  ///< of sources and of services' tables; empty for other files
  std::int64_t modified = 0;  ///< seconds since 1970; 0: not known
  Messages problem;           ///< why it could not be read; the file is the subject
  std::string place{};        ///< path in the whole tree, even if only a part of it is examined
  bool replaced = false;      ///< an archive has several, with different contents; this is the last
};

/// Entries whose names lead out of their archive or are too long.
struct LeftOut {
  std::vector<std::string> names;  ///< of the first ones, shortened
  std::size_t more = 0;
};

struct FileTree {
  std::string name;             ///< of the folder, archive or file, without its extension
  std::string place;            ///< as given on the command line
  std::vector<TreeFile> files;  ///< by path
  bool single_file = false;     ///< the source is one source, notebook or table
  LeftOut left_out;
};

/// The table that Gradescope puts into a download: the submitter of each submission.
inline constexpr std::string_view kGradescopeTable = "submission_metadata.yml";

/// Moodle's worksheet, which has the times of hand-ins, and other tables beside a class.
inline constexpr std::string_view kTableEnding = ".csv";

inline constexpr std::size_t kMaxTreeFiles = 200'000;
/// Limits for all texts of a tree together, and for the unpacked size of an archive.
inline constexpr std::uint64_t kMaxTreeBytes = 512ULL << 20;
inline constexpr std::uint64_t kMaxUnpackedBytes = 2ULL << 30;
/// Limits for an inner archive (a student's), including the archives in it.
inline constexpr std::size_t kMaxInnerTreeFiles = 20'000;
inline constexpr std::uint64_t kMaxInnerTreeBytes = 64ULL << 20;
inline constexpr std::uint64_t kMaxInnerUnpackedBytes = 256ULL << 20;

/// "j.smith" for "j.smith.cu", "j.smith.cu.txt" and "j.smith.tar.gz".
std::string without_source_ending(std::string_view name);

/// Recognizes an archive by its name: zip, tar, and tar compressed with gzip, bzip2, xz or zstd.
bool is_archive_name(std::string_view name);

enum class TreeOf : std::uint8_t { Class, OneStudent };

/// Reads a source. A student's has the limits of an inner archive. Errors: no such file, an unreadable
/// folder or archive, or a tree over the limits above.
///
/// If a tree exceeds the limits, it is read again in shares. A student's share has the limits of an inner
/// archive. The files of a student are a folder or archive beside other such ones, inside any wrapping
/// folders, or the entries to which a service gave one number. If a student exceeds the share, a folder with
/// a problem replaces all of that student's files. The tree is an error only if it is still over the limits.
///
/// Links are not followed. A single unreadable file has a problem, and so does a damaged or oversized inner
/// archive. Paths of more than 1024 bytes or 64 parts, and paths that lead out, are left out.
Result<FileTree> read_tree(const std::filesystem::path& source, TreeOf of = TreeOf::Class);

/// Reads the tree of an archive's bytes; `name` is its name in messages.
Result<FileTree> unpack(std::string_view bytes, const std::string& name, TreeOf of = TreeOf::Class);

}  // namespace cudalabs
