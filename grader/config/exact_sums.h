#pragma once
// The numbers of the distribution exact_sums. The bound of a rounded sum grows with its terms: at a million
// terms it excuses an error of percents, behind which whole blocks of elements can hide. So there are cases
// whose data no order of additions rounds: whole numbers of one step, so few and so small that all partial
// sums are below 2^24 steps (2^53 in double). Their answers are compared exactly. What is left out, or taken
// twice, shows: no number is zero, all have one sign. What is computed in the next lower precision shows,
// too: some numbers have one bit more than that holds.

#include <cstdint>

#include "grader/config/lab.h"
#include "grader/support/result.h"

namespace cudalabs {

/// What one input of one test case draws from, in steps. Most elements are plain: from 1 to `plain`. The
/// others are fine: 3 more than a multiple of 4, from `fine_low` up and below `fine_high`, which rounding
/// to the next lower precision makes larger, every one of them, and cutting off smaller. So these errors
/// never cancel each other.
struct ExactSums {
  std::int64_t terms = 0;  ///< of one sum
  std::int64_t plain = 0;
  std::int64_t fine_low = 0, fine_high = 0;
  std::int64_t fine_terms = 0;  ///< so many terms, or all, have one fine element; the inputs take turns
  std::int64_t inputs = 1;      ///< which are multiplied with each other
};

/// The numbers for one test case of distribution ExactSums. Error, without a place: there are none.
Result<ExactSums> plan_exact_sums(const Lab& lab, const TestCase& test);

}  // namespace cudalabs
