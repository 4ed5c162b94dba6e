#pragma once
// Loads, stores and atomics: addresses of 32 lanes, one check for the warp, then the data.

#include <cstdint>

#include "grader/sim/ops/arithmetic.h"
#include "grader/sim/ops/exec.h"
#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

/// The address space of a memory instruction. `ParamArea`: a parameter of a device function, in the frame
/// (Inst::b: offset, Inst::c: bytes of each lane). `Const`: like Global, but with its own cache.
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

// clang-format off
/// Element type in memory -> type in a register. ld and st only widen.
#define CUDALABS_MEMORY_ELEMENTS(X)                                  \
  X(U8in32) X(S8in32) X(S8in16) X(U16in32) X(S16in32) X(U32in32)      \
  X(U8in64) X(S8in64) X(U16in64) X(S16in64) X(U32in64) X(S32in64) X(U64in64)
// clang-format on
enum class Element : std::uint8_t {
#define X(e) e,
  CUDALABS_MEMORY_ELEMENTS(X)
#undef X
      Count
};

/// Inst: a = slot of the base address (32-bit lanes unless `wide`), imm = offset, width, count; destination
/// or source d, or Program::extras[extra] when count > 1.
HandlerPair memory_handlers(MemorySpace space, Element element, bool wide_address, bool is_store);
/// For full warps whose addresses keep their shape (memory_shaped.cpp); exceptional cases go to Inst::masked.
/// Null if there is none.
Handler shaped_handler(MemorySpace space, Element element, bool wide_address, bool is_store);
/// The same for some lanes of a warp, in global memory (memory_partial.cpp); other cases go to
/// general_handler()'s handler. Null if there is none.
Handler partial_handler(MemorySpace space, Element element, bool wide_address, bool is_store);
/// For any lanes and any address space.
Handler general_handler(MemorySpace space, Element element, bool wide_address, bool is_store);

enum class AtomicOp : std::uint8_t { Add, Min, Max, And, Or, Xor, Exch, Cas, Inc, Dec, Count };
enum class AtomicType : std::uint8_t { U32, S32, U64, S64, F32, F64, F16, F16x2, BF16, BF16x2, Count };

/// d = old value (kNone for red), a = base, b = operand, c = second operand (cas); lanes in ascending order.
/// Null if there is no such atomic.
Handler atomic_handler(MemorySpace space, AtomicOp op, AtomicType type, bool wide_address);

}  // namespace cudalabs::sim
