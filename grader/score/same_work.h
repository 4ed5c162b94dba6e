#pragma once
// Whether two versions are one piece of work. The lab asks for a kernel of its own for each version;
// the same kernel on other streams, in pieces, in another order, in other blocks or beside kernels
// that do nothing is not one.

#include <optional>
#include <span>

#include "grader/device/wire/outcome.h"

namespace cudalabs {

struct SameWork {
  bool renamed = false;     ///< the kernel has another name
  bool altered = false;     ///< other code, though what it does is about the same
  bool relaunched = false;  ///< what is launched differs, what is done does not
};

/// Nothing if the calls do different work, or none. Compared is what the kernels of one code did together:
/// the same code with about the same counters is the same work, and so is any code with as much shared memory
/// and about the same traffic, conflicts and barriers, a quarter more instructions or less. Shuffles and
/// __syncwarp() alone make no difference. Kernels that store nothing, and those that do next to nothing
/// beside the others, do not count. One call may do all of the other's work and more. `by_tiles`: as much
/// shared memory, too, or it is other work; without it one code is one piece of work on any grid, unless its
/// accesses to memory are others.
std::optional<SameWork> same_work(std::span<const LaunchRecord> one, std::span<const LaunchRecord> other,
                                  bool by_tiles);

}  // namespace cudalabs
