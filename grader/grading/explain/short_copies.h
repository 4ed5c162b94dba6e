#pragma once
// Finds copies and sets whose count is a number of elements although the call expects bytes. The host makes
// this mistake, so no kernel shows it.

#include <string>

#include "grader/course/lab.h"
#include "grader/device/protocol/outcome.h"
#include "grader/grading/cases/inputs.h"

namespace cudalabs {

/// Why a call is wrong; empty if nothing was found.
struct ShortCopy {
  Message reason, advice;
  std::string variable;  ///< that is copied to; empty: it has no name
  std::string call{};    ///< of the CUDA runtime: "cudaMemset"
  std::string word{};    ///< that stands in it: the variable, or the array
};

/// Examines the copies and sets of a call whose answer is wrong. It finds those of as many bytes as an array
/// has elements, of a part of an element, or of a part of an input into a variable that kernels read.
ShortCopy short_copy(const Lab& lab, const TestCase& test, const CallOutcome& outcome);

}  // namespace cudalabs
