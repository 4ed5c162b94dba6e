#pragma once
// Loads and stores that always have the lane distances of an earlier one, because they use the same address
// register in the same straight run of code: `a[k]` and `a[k + 1]` of an unrolled loop. Once the first has
// matched its last shape, the others need no comparison.

#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

/// Fills Inst::leader of a finished program.
void find_address_groups(Program& program);

}  // namespace cudalabs::sim
