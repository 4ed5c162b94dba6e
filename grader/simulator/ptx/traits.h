#pragma once
// What an instruction does, by the columns `effects` and `operands` of opcodes.def (the legend stands there).

#include <cstddef>
#include <cstdint>

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::ptx {

enum class Access : std::uint8_t { None, Load, Store, Atomic, Copy };
enum class Work : std::uint8_t { Logic, Issue, Sum, Product, Special, Crossbar, Matrix };

struct Traits {
  Access access = Access::None;
  Work work = Work::Logic;
  bool varies = false, branched = false, fp64 = false;
  bool exchange = false, joined = false;
  std::uint8_t machine_instructions = 1;
  /// Bit n: the first of n operands is the destination, if it is no address.
  std::uint16_t writes_first = 0;
};

const Traits& traits_of(Op op);

Access access_of(const Instruction& in);
/// True if the first operand is written; no other is (but for elements[0] of `d|p`).
bool writes_first(const Instruction& in);
/// The type by which operand k is read or written, where the table knows: not of addresses, vectors, symbols.
Type type_of_operand(const Instruction& in, std::size_t k);

/// One of cuda::atomic's loads, stores and changes: it races with none of these.
inline bool is_ordered(const Instruction& in) {
  using enum Mod;
  return in.has(Relaxed) || in.has(Acquire) || in.has(Release) || in.has(AcqRel);
}

/// Loads and stores that are meant to be seen by others. `cv` and `wt` are no more than hints by the book,
/// but __ldcv() and __stwt() are what flags are polled and set with.
inline bool is_strong(const Instruction& in) {
  using enum Mod;
  return in.has(Volatile) || is_ordered(in) || in.has(Cv) || in.has(Wt);
}

/// Lets go of what its thread did before, for whoever sees what it stores next or, if it stores, that.
inline bool is_fence(const Instruction& in) {
  using enum Mod;
  return in.op == Op::Membar || (in.op == Op::Fence && !in.has(Acquire)) || in.has(Release) ||
         in.has(AcqRel) || in.has(Sc);
}
/// A fence or an atomic operation that means nothing to other blocks.
inline bool is_within_block(const Instruction& in) { return in.has(Mod::Cta) || in.has(Mod::Proxy); }

inline bool is_barrier(Op op) { return op == Op::Bar || op == Op::Barrier; }
/// Its operands are matrices, spread over the lanes of a warp.
inline bool is_matrix(Op op) { return traits_of(op).work == Work::Matrix; }
inline bool is_barrier_arrival(const Instruction& in) { return in.op == Op::Mbarrier && in.has(Mod::Arrive); }
inline bool is_return(Op op) { return op == Op::Ret || op == Op::Exit; }
/// Nothing follows it.
inline bool leaves(Op op) { return is_return(op) || op == Op::Trap; }

}  // namespace cudalabs::ptx
