#pragma once
// mbarrier: barriers in shared memory on which threads arrive and wait in two steps (cuda::barrier,
// cuda::pipeline). The 64-bit object is opaque to programs; its layout here is our own (mbarrier.cpp).

#include <optional>

#include "grader/simulator/ops/exec.h"

namespace cudalabs::sim {

enum class MbarrierOp : std::uint8_t {
  Init,  ///< b: expected arrivals
  Invalidate,
  Arrive,  ///< d: 64-bit token of the phase, or kNone; b: arrivals, or kNone for one
  ArriveNoComplete,
  ArriveDrop,  ///< likewise, and the next phases expect as many fewer
  ArriveDropNoComplete,
  ArriveExpect,  ///< one arrival; b: bytes that are to come
  ArriveDropExpect,
  ExpectBytes,  ///< b: bytes
  CompleteBytes,
  TestToken,   ///< d: predicate, b: 64-bit token: has its phase ended?
  TestParity,  ///< d: predicate, b: 0 or 1
  CopyArrive,  ///< cp.async.mbarrier.arrive: the thread's copies land with it, nothing is left to count
  Count
};

/// True if there is an initialised mbarrier at that offset of shared memory; else a fault of the lane.
bool is_barrier_for_bytes(Exec& x, std::uint32_t lane, std::uint64_t offset);
/// Bytes that the thread of `warp` asked for are there.
void complete_bytes(Exec& x, std::uint32_t warp, std::uint32_t offset, std::uint32_t bytes);

/// Of the mbarrier at `object`, where bytes alone are missing: how many are to come, or by how many more have
/// come than were announced (negative).
std::optional<std::int32_t> missing_bytes(const std::byte* object);

/// a: base address (32-bit lanes unless `wide_address`),
/// imm: its offset. `generic`: the address is a generic one.
Handler mbarrier_handler(MbarrierOp op, bool wide_address, bool generic);
/// mbarrier.pending_count: d = arrivals missing when token a was given.
Handler mbarrier_pending_handler();

}  // namespace cudalabs::sim
