#pragma once
// Which loads and stores are sure to have the lane distances of an earlier one, because they read the same
// address register in the same straight run of code: `a[k]` and `a[k + 1]` of an unrolled loop. Once the
// first has been compared with its last shape, the others need not be.

#include "grader/simulator/program/program.h"

namespace cudalabs::sim {

/// Fills Inst::leader of a finished program.
void find_address_groups(Program& program);

}  // namespace cudalabs::sim
