#pragma once
// A new lab that begins as a copy of another one. For `grader new-lab --like LAB/VARIANT`.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/course/lab.h"

namespace cudalabs::cli {

/// All files of a variant: its own, and the headers that its lab shares.
std::vector<std::filesystem::path> files_to_copy(const Lab& lab);

/// The names in the files of a copy. An empty entry stays the old one.
class CopiedNames {
 public:
  CopiedNames(const Lab& old, std::string lab, std::string variant, std::string entry);

  /// The place of a file in the new lab; `old`: relative to the course.
  [[nodiscard]] std::filesystem::path place(const std::filesystem::path& old) const;
  /// The new text of a file: the lab, the variant and the entry are named anew.
  [[nodiscard]] std::string text(std::string old) const;

 private:
  std::string old_lab_, old_variant_, old_entry_, lab_, variant_, entry_;
  std::vector<std::string> versions_;
};

}  // namespace cudalabs::cli
