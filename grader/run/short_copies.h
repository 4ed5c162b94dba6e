#pragma once
// Copies and sets whose count is one of elements where bytes were asked for: a mistake of the host's, which
// no kernel shows.

#include <string>

#include "grader/check/inputs.h"
#include "grader/config/lab.h"
#include "grader/device/wire/outcome.h"

namespace cudalabs {

/// Why a call is wrong; empty: nothing was found.
struct ShortCopy {
  Message reason, advice;
  std::string variable;  ///< that is copied to; empty: it has no name
  std::string call{};    ///< of the CUDA runtime: "cudaMemset"
  std::string word{};    ///< that stands in it: the variable, or the array
};

/// Looks at what a call that came out wrong has copied and set: as many bytes of an array as it has elements,
/// a part of an element, or a part of an input to a variable that kernels read.
ShortCopy short_copy(const Lab& lab, const TestCase& test, const CallOutcome& outcome);

}  // namespace cudalabs
