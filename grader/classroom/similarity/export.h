#pragma once
// Writes a folder that JPlag and Dolos read (docs/copies.md has their commands).

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

struct ExportedFile {
  std::string name;  ///< "row_max.cu"
  std::string content;
};

struct ExportedSubmission {
  std::string id;    ///< the student's; the folder is named after it
  std::string name;  ///< for people; may be empty
  std::vector<ExportedFile> files;
};

/// Makes `folder`, which must be missing or empty:
///   submissions/ID/row_max.cu.cpp   one folder for each student: JPlag's root folder
///   base/row_max.cu.cpp             the handed-out files: JPlag's -bc
///   info.csv                        Dolos' list of the files; the first of base/ is marked as handed out
/// Files are named .cpp because neither tool treats .cu as C++. Ids become distinct folder names that are
/// safe on every system. Errors: the folder is not empty, or it cannot be written.
Result<void> export_for_jplag_and_dolos(const std::filesystem::path& folder,
                                        std::span<const ExportedSubmission> submissions,
                                        std::span<const ExportedFile> handed_out);

}  // namespace cudalabs
