#pragma once
// Detects two versions that do the same work. The lab asks for a separate kernel for each version. The same
// kernel on other streams, in pieces, in another order, with other blocks or beside kernels that do nothing
// does not count as a separate one.

#include <optional>
#include <span>

#include "grader/device/protocol/outcome.h"

namespace cudalabs {

struct SameWork {
  bool renamed = false;     ///< the kernel has another name
  bool altered = false;     ///< the code differs, but it does about the same
  bool relaunched = false;  ///< the launches differ, but the work does not
};

/// Returns nothing if the calls do different work, or none. It compares the total work of the kernels with
/// the same code. The same code with about the same counters is the same work. So is other code with the same
/// amount of shared memory and about the same traffic, conflicts and barriers, with up to a quarter more or
/// fewer instructions. Shuffles and __syncwarp() alone make no difference. Kernels that store nothing, or
/// that do almost nothing compared with the others, do not count. One call may do all of the other's work and
/// more. With `by_tiles`, a different amount of shared memory makes it different work. Without it, the same
/// code is the same work on any grid, unless its memory accesses differ.
std::optional<SameWork> same_work(std::span<const LaunchRecord> one, std::span<const LaunchRecord> other,
                                  bool by_tiles);

}  // namespace cudalabs
