#pragma once
// Judges by name and text whether a file may be a lab's submission.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "grader/classroom/intake/file_tree.h"
#include "grader/course/lab.h"

namespace cudalabs {

/// How much a file's name is that of the lab's file, the best first.
enum class NameLikeness : std::uint8_t {
  Exact,       ///< row_max.cu
  Resembling,  ///< "Row Max (1).CU", row_max.cu.txt, smith_row_max_v2.cu
  Cuda,        ///< another name of CUDA code: kernel.cu, try.cu.txt
  Text,        ///< a source in another language, a header, a text
  None,
};

NameLikeness likeness(const Lab& lab, std::string_view path);

/// Returns whether the file may be a submission by its name alone: Cuda or better.
inline bool is_candidate(const Lab& lab, std::string_view path) {
  return likeness(lab, path) <= NameLikeness::Cuda;
}

/// The number of the lab's functions that a text defines.
std::size_t entries_defined(const Lab& lab, const std::string& text);

/// Returns whether a folder has a name that students give to a part of their work, such as "src" or
/// "lab3": it is not named after a student.
bool is_part_of_work(const Lab& lab, std::string_view folder);

}  // namespace cudalabs
