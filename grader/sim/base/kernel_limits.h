#pragma once
// What a program may set for its kernels.

#include <cstdint>

namespace cudalabs::sim {

/// What cudaDeviceSetLimit() and cudaDeviceSetSharedMemConfig() change; an H100 begins so (2026-11-27).
struct KernelLimits {
  std::uint64_t most_children = 2048;                 ///< pending launches by the kernel
  std::uint64_t stack_bytes = 1024;                   ///< of each thread
  std::uint64_t heap_bytes = std::uint64_t{8} << 20;  ///< for malloc() in all kernels together
  std::uint64_t printf_bytes = 8'650'752;             ///< the buffer of printf()
  std::uint64_t sync_depth = 2;  ///< grids above it may wait for their children (before CUDA 12)
  std::uint64_t bank_bytes = 0;  ///< of shared memory, where a card has a choice; 0: as the card begins
};

}  // namespace cudalabs::sim
