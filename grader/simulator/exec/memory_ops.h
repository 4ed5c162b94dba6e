#pragma once
// Loads, stores and atomics: addresses of 32 lanes, one check for the warp, then the data.

#include <cstdint>

#include "grader/simulator/exec/arithmetic.h"
#include "grader/simulator/exec/exec.h"
#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

/// Where a memory instruction looks. `ParamArea`: a parameter of a device function, in the frame (Inst::b:
/// offset, Inst::c: bytes a lane). `Const`: like Global, but its own cache serves it, so nobody observes it.
/// `KernelParam`: the launch's parameters, the same for all lanes.
enum class MemorySpace : std::uint8_t {
  Generic,
  Global,
  Const,
  Shared,
  Local,
  ParamArea,
  KernelParam,
  Count
};

/// Elements as they lie in memory -> how they are held in a register. Widening is what ld and st do by
/// themselves.
enum class Element : std::uint8_t {
  U8in32,
  S8in32,
  S8in16,
  U16in32,
  S16in32,
  U32in32,
  U8in64,
  S8in64,
  U16in64,
  S16in64,
  U32in64,
  S32in64,
  U64in64,
  Count
};

/// Inst: a = slot of the base address (32-bit lanes unless `wide`), imm = offset, width, count; destination
/// or source d, or Program::extras[extra] when count > 1.
Handler load_handler(MemorySpace space, Element element, bool wide_address);
Handler store_handler(MemorySpace space, Element element, bool wide_address);

enum class AtomicOp : std::uint8_t { Add, Min, Max, And, Or, Xor, Exch, Cas, Inc, Dec, Count };
enum class AtomicType : std::uint8_t { U32, S32, U64, S64, F32, F64, F16, F16x2, BF16, BF16x2, Count };

/// cp.async of Inst::width bytes: d = base in shared memory (32-bit lanes unless `wide_shared`), extra = its
/// offset, a = base in global memory, imm = its offset; b = bytes to read (the rest is zero) or kNone; c =
/// predicate: read nothing.
Handler async_copy_handler(bool wide_shared);

/// d = old value (kNone for red), a = base, b = operand, c = second operand (cas); lanes in ascending order.
/// A null handler: there is no such atomic.
Handler atomic_handler(MemorySpace space, AtomicOp op, AtomicType type, bool wide_address);

}  // namespace cudalabs::sim
