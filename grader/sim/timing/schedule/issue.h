#pragma once
// The number of machine instructions for a PTX instruction, as far as it matters for an estimated time.

#include <vector>

#include "grader/sim/base/types.h"
#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

/// By instruction of Program::code: the issue counts of one execution by a warp.
std::vector<IssueCounts> issue_costs(const Program& program);

}  // namespace cudalabs::sim
