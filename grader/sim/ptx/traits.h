#pragma once
// Properties of an instruction, from the columns `effects` and `operands` of opcodes.def (which has the
// legend).

#include <cstddef>
#include <cstdint>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::ptx {

enum class Access : std::uint8_t { None, Load, Store, Atomic, Copy };
enum class Work : std::uint8_t { Logic, Issue, Sum, Product, Special, Crossbar, Matrix };

struct Traits {
  Access access = Access::None;
  Work work = Work::Logic;
  bool varies = false, branched = false, fp64 = false;
  bool exchange = false, joined = false;
  std::uint8_t machine_instructions = 1;
  /// Bit n: the first of n operands is the destination, unless it is an address.
  std::uint16_t writes_first = 0;
};

const Traits& traits_of(Op op);

Access access_of(const Instruction& in);
/// True if the first operand is written; no other operand is (except elements[0] of `d|p`).
bool writes_first(const Instruction& in);
/// The type of operand k, if the table determines it: not for addresses, vectors, symbols.
Type type_of_operand(const Instruction& in, std::size_t k);

/// True for loads, stores and modifications by cuda::atomic: they do not race with each other.
inline bool is_ordered(const Instruction& in) {
  using enum Mod;
  return in.has(Relaxed) || in.has(Acquire) || in.has(Release) || in.has(AcqRel);
}

/// True for loads and stores that are meant to be visible to others. `cv` and `wt` are only hints according
/// to the PTX ISA, but programs poll and set flags with __ldcv() and __stwt().
inline bool is_strong(const Instruction& in) {
  using enum Mod;
  return in.has(Volatile) || is_ordered(in) || in.has(Cv) || in.has(Wt);
}

/// Releases the thread's earlier accesses to any thread that sees its next store, or, if it is a store, this
/// one.
inline bool is_fence(const Instruction& in) {
  using enum Mod;
  return in.op == Op::Membar || (in.op == Op::Fence && !in.has(Acquire)) || in.has(Release) ||
         in.has(AcqRel) || in.has(Sc);
}
/// True for a fence or an atomic operation without effect on other blocks.
inline bool is_within_block(const Instruction& in) { return in.has(Mod::Cta) || in.has(Mod::Proxy); }

inline bool is_barrier(Op op) { return op == Op::Bar || op == Op::Barrier; }
/// True if its operands are matrices, distributed over the lanes of a warp.
inline bool is_matrix(Op op) { return traits_of(op).work == Work::Matrix; }
inline bool is_barrier_arrival(const Instruction& in) { return in.op == Op::Mbarrier && in.has(Mod::Arrive); }
inline bool is_return(Op op) { return op == Op::Ret || op == Op::Exit; }
/// No instruction follows it.
inline bool leaves(Op op) { return is_return(op) || op == Op::Trap; }

}  // namespace cudalabs::ptx
