#pragma once
// One worker of a launch with provenance tracking: it computes the nodes of each instruction's results from
// those of its operands, by registers, lanes and the memories of a block.

#include <memory>

#include "grader/sim/provenance/provenance_tracker.h"

namespace cudalabs::sim {

std::unique_ptr<WorkerObserver> make_origin_worker(const LaunchInfo& launch,
                                                   ProvenanceTracker::Memory& memory);

}  // namespace cudalabs::sim
