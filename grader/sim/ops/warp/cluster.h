#pragma once
// mapa for clusters of one block, the only supported size.

#include "grader/sim/ops/exec.h"

namespace cudalabs::sim {

/// d = the address a (64-bit lanes if `wide`) in the shared memory of the cluster's block b.
Handler mapa_handler(bool wide);

}  // namespace cudalabs::sim
