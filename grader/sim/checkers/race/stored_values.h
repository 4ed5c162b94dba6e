#pragma once
// Compares the values that the lanes of a store write, with each other and with memory.

#include <cstdint>

#include "grader/sim/executable/observer.h"

namespace cudalabs::sim {

/// Bytes [from, from + bytes) of a lane's store; `address` (or offset) is where the whole store begins.
struct StoredPart {
  std::uint32_t lane = 0;
  std::uint64_t address = 0;
  std::uint32_t from = 0, bytes = 0;
};

/// Does the store write the value that is already in memory? False: no, or the stored value is unknown.
[[nodiscard]] bool same_as_memory(const WarpAccess& store, const StoredPart& part);
/// Do lower lanes that store to all of these bytes write the same? False: no, or unknown.
[[nodiscard]] bool same_as_lower_lane(const WarpAccess& store, const StoredPart& part);
/// Does another lane store to the same place? Only for stores.
[[nodiscard]] bool is_crowded(const WarpAccess& access, std::uint32_t lane);

}  // namespace cudalabs::sim
