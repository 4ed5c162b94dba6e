#pragma once
// The device's limits for a launch, with messages for students. All launch checks are here.

#include <optional>

#include "grader/sim/base/types.h"

namespace cudalabs::sim {

enum class Refused : std::uint8_t {
  Sizes,      ///< of the grid, the block or shared memory
  AtATime,    ///< everything is valid, but the blocks of a cooperative launch cannot all be resident
  Cluster,    ///< of more than one block, which is not simulated
  Registers,  ///< one block's threads need more registers than a multiprocessor has
};

struct LaunchRefusal {
  Message why;  ///< msg::launch_refused: the kernel's name, and the message of the limit
  Refused what = Refused::Sizes;
};

/// Empty iff a device with these limits accepts the launch. `dynamic_shared_limit`: the kernel's
/// cudaFuncAttributeMaxDynamicSharedMemorySize; 0: it was never set.
std::optional<LaunchRefusal> refuse_launch(const Limits& limits, const KernelInfo& kernel,
                                           const LaunchConfig& config, std::uint64_t dynamic_shared_limit);

/// The most dynamic shared memory that the kernel can be launched with if the attribute is not set, in bytes.
std::uint64_t most_dynamic_shared(const Limits& limits, const KernelInfo& kernel);

/// Why that attribute cannot be set to `bytes`; empty if it can.
std::optional<Message> refuse_dynamic_shared(const Limits& limits, const KernelInfo& kernel,
                                             std::uint64_t bytes);

/// Resident blocks of `threads` threads on one multiprocessor, by threads, blocks, shared memory, and
/// registers if ptxas's number is known.
std::uint32_t resident_blocks(const Limits& limits, const KernelInfo& kernel, std::uint32_t threads,
                              std::uint64_t dynamic_shared_bytes);

}  // namespace cudalabs::sim
