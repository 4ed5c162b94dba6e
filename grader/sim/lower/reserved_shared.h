#pragma once
// Shared memory that CUDA reserves. Devices since 8.0 reserve 1 KiB at the beginning of each block's shared
// memory, zeroed; cooperative groups locate the barriers and the scratch memory of multi-warp tiles there by
// special registers. The simulator reserves it for a module's kernels if one of the module's functions reads
// these registers; otherwise no program could notice.

#include <cstdint>
#include <optional>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

inline constexpr std::uint32_t kReservedShared = 1024;

/// The value of the special register; empty if it does not describe reserved memory.
std::optional<std::uint32_t> reserved_shared_offset(ptx::Special special);

/// Reserved bytes in the module's kernels.
std::uint32_t reserved_shared_bytes(const ptx::Module& module);

}  // namespace cudalabs::sim
