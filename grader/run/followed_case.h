#pragma once
// Do results really flow through the memory that a version is about? In one call the simulator follows what
// they are made of (simulator/observers/origin_tracker.h). The call is one of those that are run anyway, and
// nothing in it differs from the others: there is no telling it, and its verdict does not depend on the seed.

#include <cstddef>
#include <optional>
#include <vector>

#include "grader/config/lab.h"
#include "grader/device/wire/outcome.h"
#include "grader/run/case_buffers.h"

namespace cudalabs {

/// The case whose call is followed, an index into Lab::cases: of the small ones that which has most of
/// everything. None if there is no small case.
std::optional<std::size_t> case_to_follow(const Lab& lab);

/// All of them, from the best to the worst: where that case is not right, another is followed.
std::vector<std::size_t> cases_to_follow(const Lab& lab);

/// What is asked about a call with these arguments; `follow`: about what its results are made of, too.
CallResults results_of(const Lab& lab, const Version& version, const TestCase& test,
                       const CaseBuffers& buffers, bool follow);

/// Of all arrays.
std::size_t bytes_of(const Lab& lab, const TestCase& test);

/// Small cases are run under the checkers, which slow a launch down by an order of magnitude. Of the others
/// they see a few blocks (simulator/observers/sampled_checkers.h).
bool is_small(const Lab& lab, const TestCase& test);

}  // namespace cudalabs
