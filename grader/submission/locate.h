#pragma once
// Reads a student's file for a lab, with the headers beside it, into memory. Everything
// afterwards works on these bytes: a file that changes meanwhile changes nothing.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/course/lab.h"

namespace cudalabs {

struct SourceFile {
  std::string name;  ///< plain file name: letters, digits, '_', '-', '.'
  std::string content;
};

struct Submission {
  std::filesystem::path file;  ///< where it was found, as a person would write it
  SourceFile source;           ///< name: as in the student's folder ("row_max.cu")
  /// Files of the same folder (kSourceEndings) that it includes, directly or indirectly, sorted by
  /// name. Only the course's own reference also has lab.reference_headers.
  std::vector<SourceFile> headers;
};

inline constexpr std::uint64_t kMaxSourceBytes = 1 << 20;  ///< per file, also for a header
inline constexpr std::size_t kMaxHeaders = 32;
inline constexpr std::uint64_t kMaxHeaderBytesTotal = 4 << 20;

/// Letters, digits, '_', '-' and '.', not first '-' or '.': a name that no compiler takes for an option, a
/// response file or another folder.
bool is_plain_name(const std::string& name);

/// The name of a submission's file from here on: `given` if it is a plain .cu name, else the lab's.
std::string source_name(const Lab& lab, const std::string& given);

/// The name of a C++ or CUDA source beside the submission that has a function `name`, as far as its text
/// tells; empty if there is none. The grader compiles one file alone.
std::string source_beside_with(const Submission& submission, const std::string& name);

/// Reads a submission in its usual place. `given` is the value of --submission: a folder that mirrors the
/// template tree, the variant's folder, or the source; empty means the current folder. Nothing: it is
/// elsewhere or in an archive or a notebook, so search_submission (classroom/intake) goes on. Errors say why
/// a file cannot be read.
Result<std::optional<Submission>> locate_submission(const Lab& lab, const std::filesystem::path& given = {});

/// The course's own stub or reference.
Result<Submission> course_file(const Lab& lab, const std::filesystem::path& file);

}  // namespace cudalabs
