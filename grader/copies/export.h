#pragma once
// A folder that JPlag and Dolos read (docs/copies.md has their commands).

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "grader/support/result.h"

namespace cudalabs {

struct ExportedFile {
  std::string name;  ///< "row_max.cu"
  std::string content;
};

struct ExportedSubmission {
  std::string id;    ///< of the student; the folder's name is made of it
  std::string name;  ///< as a person is called; may be empty
  std::vector<ExportedFile> files;
};

/// Makes `folder`, which must not be there or be empty:
///   submissions/ID/row_max.cu.cpp   one folder a student: JPlag's root folder
///   base/row_max.cu.cpp             what is handed out: JPlag's -bc
///   info.csv                        Dolos' list of the files; the first of base/ is marked as handed out
/// Files are named .cpp because neither tool takes .cu for C++. Ids become names of folders that are harmless
/// everywhere, and that differ. Errors: the folder is there and not empty, or cannot be written.
Result<void> export_for_jplag_and_dolos(const std::filesystem::path& folder,
                                        std::span<const ExportedSubmission> submissions,
                                        std::span<const ExportedFile> handed_out);

}  // namespace cudalabs
