#pragma once
// Checks that results really flow through the memory that a version is about. In one call the simulator
// tracks the provenance of the results (see the observers in sim/checkers). That call would be run
// anyway and looks like all others, so the submission cannot recognize it, and its verdict does not depend on
// the seed.

#include <cstddef>
#include <optional>
#include <vector>

#include "grader/course/lab.h"
#include "grader/device/protocol/outcome.h"
#include "grader/grading/run/case_buffers.h"

namespace cudalabs {

/// The case whose call is tracked, as an index into Lab::cases: the small case that has most of everything.
/// None if there is no small case.
std::optional<std::size_t> case_to_follow(const Lab& lab);

/// All small cases, from the best to the worst. If the answer of the first is wrong, the grader tracks
/// another.
std::vector<std::size_t> cases_to_follow(const Lab& lab);

/// The analysis to request for a call with these arguments. `follow`: also track the provenance of its
/// results.
CallResults results_of(const Lab& lab, const Version& version, const TestCase& test,
                       const CaseBuffers& buffers, bool follow);

/// Total size of all arrays.
std::size_t bytes_of(const Lab& lab, const TestCase& test);

/// The checkers watch every block of small cases; they slow a launch down by an order of magnitude. In other
/// cases they watch a few blocks (sim/checkers/sampled_checkers.h).
bool is_small(const Lab& lab, const TestCase& test);

}  // namespace cudalabs
