#pragma once
// Checks that a course's oracle is consistent. `grader check-labs` runs this; grading trusts the oracle.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/grading/cases/oracle.h"

namespace cudalabs {

/// Calls everything that an oracle defines for every case of the lab, including the timed one. Returns one
/// sentence for each problem: a baseline that disagrees with the oracle; a usual mistake that is always
/// right; or, for a lab of sums, a timed case that does not show that an element was left out or counted
/// twice, or that one in twenty was left out. A crash ends the process with a message (base/crash_note.h).
Messages rehearse(const Lab& lab, const Oracle& oracle, std::uint64_t seed);

}  // namespace cudalabs
