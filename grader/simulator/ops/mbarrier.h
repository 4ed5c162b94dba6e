#pragma once
// mbarrier: barriers in shared memory on which threads arrive and wait in two steps (cuda::barrier,
// cuda::pipeline). The 64-bit object is opaque to programs; its layout here is our own (mbarrier.cpp).

#include "grader/simulator/ops/exec.h"

namespace cudalabs::sim {

enum class MbarrierOp : std::uint8_t {
  Init,  ///< b: expected arrivals
  Invalidate,
  Arrive,  ///< d: 64-bit token of the phase, or kNone; b: arrivals, or kNone for one
  ArriveNoComplete,
  ArriveDrop,    ///< likewise, and the next phases expect as many fewer
  ArriveExpect,  ///< one arrival; b: bytes that are to come
  ExpectBytes,   ///< b: bytes
  CompleteBytes,
  TestToken,   ///< d: predicate, b: 64-bit token: has its phase ended?
  TestParity,  ///< d: predicate, b: 0 or 1
  CopyArrive,  ///< cp.async.mbarrier.arrive: the thread's copies land with it, nothing is left to count
  Count
};

/// a: base address (32-bit lanes unless `wide_address`),
/// imm: its offset. `generic`: the address is a generic one.
Handler mbarrier_handler(MbarrierOp op, bool wide_address, bool generic);
/// mbarrier.pending_count: d = arrivals missing when token a was given.
Handler mbarrier_pending_handler();

}  // namespace cudalabs::sim
