#pragma once
// What a card allows a launch, in the words of the student: the one place
// that compares, for whoever launches.

#include <optional>

#include "grader/simulator/base/types.h"

namespace cudalabs::sim {

struct LaunchRefusal {
  std::string why;  ///< one sentence without a final stop, with the kernel's name
  /// Nothing is wrong but that the blocks of a cooperative launch do not fit the card all at a time.
  bool too_many_at_a_time = false;
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

/// Blocks of `threads` threads that fit one multiprocessor by threads, blocks and shared memory. Registers do
/// not count: PTX does not say how many the machine code will need.
std::uint32_t resident_blocks(const Limits& limits, const KernelInfo& kernel, std::uint32_t threads,
                              std::uint64_t dynamic_shared_bytes);

}  // namespace cudalabs::sim
