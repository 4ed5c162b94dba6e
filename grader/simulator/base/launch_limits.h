#pragma once
// What a card allows a launch, in the words of the student: the one place
// that compares, for whoever launches.

#include <optional>

#include "grader/simulator/base/types.h"

namespace cudalabs::sim {

enum class Refused : std::uint8_t {
  Sizes,      ///< of the grid, the block or shared memory
  AtATime,    ///< nothing is wrong but that the blocks of a cooperative launch do not fit all at a time
  Cluster,    ///< of more than one block, which are not simulated
  Registers,  ///< one block's threads need more than a multiprocessor has
};

struct LaunchRefusal {
  std::string why;  ///< one sentence without a final stop, with the kernel's name
  Refused what = Refused::Sizes;
};

/// Nothing iff a card of these limits takes the launch. `dynamic_shared_limit` is what the kernel's
/// cudaFuncAttributeMaxDynamicSharedMemorySize was set to; 0: it never was.
std::optional<LaunchRefusal> refuse_launch(const Limits& limits, const KernelInfo& kernel,
                                           const LaunchConfig& config, std::uint64_t dynamic_shared_limit);

/// The most dynamic shared memory that the kernel can be launched with while nothing was set, in bytes.
std::uint64_t most_dynamic_shared(const Limits& limits, const KernelInfo& kernel);

/// Why the card cannot be told that the kernel may take that much; nothing if it can.
std::optional<std::string> refuse_dynamic_shared(const Limits& limits, const KernelInfo& kernel,
                                                 std::uint64_t bytes);

/// Blocks of `threads` threads that fit one multiprocessor by threads, blocks, shared memory, and registers
/// where ptxas's number is known.
std::uint32_t resident_blocks(const Limits& limits, const KernelInfo& kernel, std::uint32_t threads,
                              std::uint64_t dynamic_shared_bytes);

}  // namespace cudalabs::sim
