#pragma once
// Checks that results really flow through the memory that a version is about. In one call the simulator
// tracks the provenance of the results (see the observers in sim/provenance): case_to_follow() in
// grading/cases/case_context.h chooses it.

#include "grader/course/lab.h"
#include "grader/device/protocol/outcome.h"
#include "grader/grading/run/case_buffers.h"

namespace cudalabs {

/// The analysis to request for a call with these arguments. `follow`: also track the provenance of its
/// results.
CallResults results_of(const Lab& lab, const Version& version, const TestCase& test,
                       const CaseBuffers& buffers, bool follow);

}  // namespace cudalabs
