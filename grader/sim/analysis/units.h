#pragma once
// The unit of a multiprocessor that executes an instruction, for which ready instructions wait.

#include <cstdint>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

enum class Unit : std::uint8_t {
  Issue,    ///< nothing but the scheduler: branches, moves, uniform work
  Logic,    ///< bits, comparisons, selections, shifts, minima
  Sum,      ///< integer sums, which two units execute
  Product,  ///< integer products
  Float,    ///< single precision
  Half,
  Special,  ///< the special-function unit, which also converts and counts bits
  Double,
  Matrix,
  Memory,  ///< loads, stores, atomics, and exchanges between lanes
};
inline constexpr int kUnits = static_cast<int>(Unit::Memory) + 1;

Unit unit_of(const ptx::Instruction& in);

/// True if it needs no machine instruction: a copy, or a negation that its reader absorbs.
bool is_folded(const ptx::Instruction& in);

}  // namespace cudalabs::sim
