#pragma once
// Finds the files of a variant: its own, and those that it shares.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/course/lab.h"

namespace cudalabs {

/// The files of a folder with this extension (".h"), by name.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                            const std::string& extension);

/// Every header that the oracle may include: *.h in its includes, in the lab's folder, and beside the
/// oracle; sorted by name in each of them. Of two headers of one name in the includes, only the first.
std::vector<std::filesystem::path> oracle_headers(const Lab& lab);

struct LabFile {
  std::string role;  ///< "oracle header"
  std::filesystem::path path;
};

/// Every file of one variant, and the shared headers that it includes. Error: a file cannot be read.
Result<std::vector<LabFile>> files_of(const Course& course, const Lab& lab);

/// Sets where the lab's files lie. `lab.file` must be set.
void set_lab_paths(const Course& course, Lab& lab);

}  // namespace cudalabs
