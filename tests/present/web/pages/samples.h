#pragma once
// Results and classes to make pages of.

#include <cstddef>

#include "grader/present/web/pages/class_page.h"
#include "grader/present/web/pages/submission_page.h"

namespace cudalabs {

/// tests/present/formats's mixed(), with all that a page can show: two versions timed beside the
/// reference, a map of the banks.
GradeResult rich();

/// The last of them could not be graded; the first two are copies.
ClassPage sample_class(std::size_t students);

/// Wherever a submission or a student can put a text, one that would harm a page that
/// is careless. `bytes` long.
GradeResult hostile_result(std::size_t bytes);
ClassPage hostile_class(std::size_t students, std::size_t bytes);
std::string hostile_text(std::size_t bytes);

}  // namespace cudalabs
