#pragma once
// The numbers of the distribution exact_sums. The error bound of a rounded sum grows with its terms: at a
// million terms it allows an error of percents, which can hide whole blocks of elements. So some cases have
// data that no order of additions rounds: integer multiples of one step, so few and so small that all partial
// sums are below 2^24 steps (2^53 in double). Their answers are compared exactly. Elements that are left out
// or taken twice show: no number is zero, and all have one sign. A sum in the next lower precision shows,
// too: some numbers have one bit more than that holds.

#include <cstdint>

#include "grader/base/result.h"
#include "grader/course/lab.h"

namespace cudalabs {

/// The range for one input of one test case, in steps. Most elements are plain: from 1 to `plain`. The others
/// are fine: 3 more than a multiple of 4, from `fine_low` up and below `fine_high`. Rounding to the next
/// lower precision makes every one of them larger, and truncation makes every one smaller. So these errors
/// never cancel each other.
struct ExactSums {
  std::int64_t terms = 0;  ///< of one sum
  std::int64_t plain = 0;
  std::int64_t fine_low = 0, fine_high = 0;
  std::int64_t fine_terms = 0;  ///< number of terms, or all, with one fine element; the inputs take turns
  std::int64_t inputs = 1;      ///< the inputs, whose elements are multiplied with each other
};

/// The numbers for one test case of distribution ExactSums. Error, without a location: there are none.
Result<ExactSums> plan_exact_sums(const Lab& lab, const TestCase& test);

}  // namespace cudalabs
