#pragma once
// mapa in a cluster of one block, which is all that there is.

#include "grader/simulator/ops/exec.h"

namespace cudalabs::sim {

/// d = the address a (64-bit lanes if `wide`) in the shared memory of the cluster's block b.
Handler mapa_handler(bool wide);

}  // namespace cudalabs::sim
