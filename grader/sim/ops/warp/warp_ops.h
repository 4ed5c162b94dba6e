#pragma once
// Handlers of operations across the lanes of a warp, and of predicates.

#include "grader/sim/ops/arithmetic.h"

namespace cudalabs::sim {

/// Flags of WarpOp::LoadLeaves.
enum LoadFlags : std::uint32_t { kWideAddress = 1, kPastL1 = 2 };

enum class WarpOp : std::uint8_t {
  // predicates; d, a, b, c: predicate slots. imm bit 0 negates a, bit 1 negates b, bit 2 negates c.
  PredAnd,
  PredOr,
  PredXor,
  PredMov,
  PredCombineAnd,
  PredCombineOr,
  PredCombineXor,  ///< setp's second step: d = d op c; extra: the other destination
  PredToLane,      ///< d (32-bit) = a ? imm>>32 : 0   (set)
  LaneToPred,      ///< d = a != 0
  // a = value, b = lane or delta, c = clamp, extra = predicate
  // slot or kNone; imm: bit 0 set where `mask` operand...
  ShflUp,
  ShflDown,
  ShflBfly,
  ShflIdx,
  VoteAll,
  VoteAny,
  VoteUni,
  VoteBallot,  ///< d, a predicate (imm bit 0 negates)
  MatchAny32,
  MatchAny64,
  MatchAll32,
  MatchAll64,
  ActiveMask,
  ReduxAdd,
  ReduxMinU,
  ReduxMaxU,
  ReduxMinS,
  ReduxMaxS,
  ReduxAnd,
  ReduxOr,
  ReduxXor,
  ReduxMinF,
  ReduxMaxF,  ///< imm bit 0: absolute values, bit 1: NaN wins
  Elect,
  Nop,          ///< no operation: prefetches, hints
  Fence,        ///< no operation, but observers are notified; imm: only within the block
  LoadLeaves,   ///< before a load of `width` bytes at a + imm; count: MemorySpace; target: LoadFlags
  LoadsArrive,  ///< before a loaded value controls the flow
  ReadClock32,
  ReadClock64,
  ReadClockHi,
  IsGlobal,
  IsShared,
  IsLocal,
  IsConst,      ///< isspacep: d predicate, a 64-bit address
  SetRounding,  ///< imm: FE_ constant
  TrapNow,
  StackHolds,  ///< of imm bytes, b are in use: a more must fit
  AddCarryOut32,
  AddCarry32,
  AddCarryOut64,
  AddCarry64,  // carry flag in slot c (32-bit lanes), written iff imm; d = a + b (+ carry)
  SubBorrowOut32,
  SubBorrow32,
  SubBorrowOut64,
  SubBorrow64,
  Slct32F,
  Slct32S,
  Slct64F,
  Slct64S,  ///< d = c >= 0 ? a : b
  TestFinite32,
  TestInfinite32,
  TestNumber32,
  TestNan32,
  TestNormal32,
  TestSubnormal32,
  TestFinite64,
  TestInfinite64,
  TestNumber64,
  TestNan64,
  TestNormal64,
  TestSubnormal64,
  Pack16x2,
  Unpack16x2,
  Pack32x2,
  Unpack32x2,
  Pack8,
  Unpack8,  ///< of 16 or 32 bits
  Pack16x4,
  Unpack16x4,  ///< mov of vectors; parts in extras
  Count
};

Handler warp_handler(WarpOp op);

}  // namespace cudalabs::sim
