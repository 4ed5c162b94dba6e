#pragma once
// What the lanes of a store are about to write, beside each other's and beside what lies there.

#include <cstdint>

#include "grader/simulator/program/observer.h"

namespace cudalabs::sim {

/// Bytes [from, from + bytes) of what a lane stores; `address` (or offset) is where all of it begins.
struct StoredPart {
  std::uint32_t lane = 0;
  std::uint64_t address = 0;
  std::uint32_t from = 0, bytes = 0;
};

/// Does it write what lies there? False: no, or nobody knows what it writes.
[[nodiscard]] bool same_as_memory(const WarpAccess& store, const StoredPart& part);
/// Do lower lanes that store to all of these bytes write the same? False: no, or nobody knows.
[[nodiscard]] bool same_as_lower_lane(const WarpAccess& store, const StoredPart& part);
/// Does another lane store to the same place? Of a store alone.
[[nodiscard]] bool is_crowded(const WarpAccess& access, std::uint32_t lane);

}  // namespace cudalabs::sim
