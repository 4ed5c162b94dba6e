#pragma once
// Shared memory that CUDA keeps for itself. Cards from 8.0 on have 1 KiB of it at the beginning of each
// block's, zeroed, where cooperative groups find the barriers and the scratch of tiles of several warps by
// special registers. Here the kernels of a module have it where one of its functions reads these; elsewhere
// nobody could tell.

#include <cstdint>
#include <optional>

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

inline constexpr std::uint32_t kReservedShared = 1024;

/// What the special register holds; nothing if it tells nothing of reserved memory.
std::optional<std::uint32_t> reserved_shared_offset(ptx::Special special);

/// How much of it the module's kernels have.
std::uint32_t reserved_shared_bytes(const ptx::Module& module);

}  // namespace cudalabs::sim
