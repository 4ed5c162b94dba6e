#pragma once
// The number of machine instructions for a PTX instruction, as far as it matters for an estimated time.

#include <vector>

#include "grader/simulator/base/types.h"
#include "grader/simulator/program/program.h"

namespace cudalabs::sim {

/// By instruction of Program::code: the issue counts of one execution by a warp.
std::vector<IssueCounts> issue_costs(const Program& program);

}  // namespace cudalabs::sim
