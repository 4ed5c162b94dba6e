#pragma once
// Limits of kernels that a program may change.

#include <cstdint>

namespace cudalabs::sim {

/// What cudaDeviceSetLimit() changes, as an H100 has it by default (2026-11-27).
struct KernelLimits {
  std::uint64_t most_children = 2048;                 ///< pending launches by the kernel
  std::uint64_t stack_bytes = 1024;                   ///< of each thread
  std::uint64_t heap_bytes = std::uint64_t{8} << 20;  ///< for malloc() in all kernels together
  std::uint64_t printf_bytes = 8'650'752;             ///< the buffer of printf()
};

}  // namespace cudalabs::sim
