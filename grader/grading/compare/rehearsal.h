#pragma once
// Checks that a course's oracle is consistent. `grader check-labs` runs this; grading trusts the oracle.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/grading/cases/oracle.h"

namespace cudalabs {

struct Rehearsal {
  Messages problems;  ///< one sentence each
  Messages mistakes;  ///< the words of its usual mistakes (kCourseText), each once
};

/// Calls everything that an oracle defines for every case of the lab, including the timed one. Problems: a
/// baseline that disagrees with the oracle; a usual mistake that is always right; or, for a lab of sums, a
/// timed case that does not show that an element was left out or counted twice, or that one in twenty was
/// left out. A crash ends the process with a message (base/crash_note.h).
Rehearsal rehearse(const Lab& lab, const Oracle& oracle, std::uint64_t seed);

}  // namespace cudalabs
