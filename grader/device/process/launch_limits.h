#pragma once
// What a card allows a launch, in the words of the student. Every device asks here first.

#include "grader/device/process/device.h"

namespace cudalabs {

/// Checks a launch against the card's limits as cudaLaunchKernel does. Ok, or cudaErrorInvalidConfiguration
/// (grid or block), cudaErrorInvalidValue (shared memory, launch bounds), cudaErrorCooperativeLaunchTooLarge.
Status check_launch(const DeviceProperties& properties, const sim::KernelInfo& kernel,
                    const LaunchRequest& request);

/// Blocks of `threads` threads that fit one multiprocessor by threads, blocks and shared memory. Registers do
/// not count: PTX does not say how many the machine code will need.
std::uint32_t resident_blocks(const DeviceProperties& properties, const sim::KernelInfo& kernel,
                              std::uint32_t threads, std::uint64_t dynamic_shared_bytes);

}  // namespace cudalabs
