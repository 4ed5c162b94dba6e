#pragma once
// Does a course's oracle hold together? Asked by `grader check-labs`; grading trusts the answer.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/check/oracle.h"

namespace cudalabs {

/// Calls everything that an oracle defines for every case of the lab, the timed one included. The value is
/// what is wrong, a sentence each: a baseline that disagrees with the oracle, a usual mistake that is always
/// the right answer; for a lab of sums a timed case that does not show when an element is left out or taken
/// twice, or one in twenty left out. A crash ends the process with a word (support/crash_note.h).
std::vector<std::string> rehearse(const Lab& lab, const Oracle& oracle, std::uint64_t seed);

}  // namespace cudalabs
