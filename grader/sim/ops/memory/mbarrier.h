#pragma once
// mbarrier: barriers in shared memory with separate arrival and wait (cuda::barrier, cuda::pipeline). The
// 64-bit object is opaque to programs; its layout here is the simulator's own (mbarrier.cpp).

#include <optional>

#include "grader/sim/ops/exec.h"

namespace cudalabs::sim {

enum class MbarrierOp : std::uint8_t {
  Init,  ///< b: expected arrivals
  Invalidate,
  Arrive,  ///< d: 64-bit token of the phase, or kNone; b: arrivals, or kNone for one
  ArriveNoComplete,
  ArriveDrop,  ///< likewise; later phases expect as many fewer arrivals
  ArriveDropNoComplete,
  ArriveExpect,  ///< one arrival; b: bytes expected by transfers
  ArriveDropExpect,
  ExpectBytes,  ///< b: bytes
  CompleteBytes,
  TestToken,   ///< d: predicate, b: 64-bit token: has its phase ended?
  TestParity,  ///< d: predicate, b: 0 or 1
  CopyArrive,  ///< cp.async.mbarrier.arrive: completes the thread's copies; nothing remains to count
  Count
};

/// Checks that there is an initialized mbarrier at that offset of shared memory; otherwise the lane faults.
bool is_barrier_for_bytes(Exec& x, std::uint32_t lane, std::uint64_t offset);
/// Completes bytes that the thread of `warp` had requested.
void complete_bytes(Exec& x, std::uint32_t warp, std::uint32_t offset, std::uint32_t bytes);

/// For the mbarrier at `object`, if only bytes are missing: how many are still expected, or (negative) by how
/// many the received bytes exceed the announced ones.
std::optional<std::int32_t> missing_bytes(const std::byte* object);

/// a: base address (32-bit lanes unless `wide_address`), imm: its offset. `generic`: it is a generic address.
Handler mbarrier_handler(MbarrierOp op, bool wide_address, bool generic);
/// mbarrier.pending_count: d = pending arrivals at the time of token a.
Handler mbarrier_pending_handler();

}  // namespace cudalabs::sim
