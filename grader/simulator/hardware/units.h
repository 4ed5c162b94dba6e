#pragma once
// Which part of a multiprocessor does an instruction's work: what instructions that are ready wait for.

#include <cstdint>

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

enum class Unit : std::uint8_t {
  Issue,    ///< nothing but the scheduler: branches, moves, uniform work
  Logic,    ///< bits, comparisons, selections, shifts, minima
  Sum,      ///< integer sums, which two units share
  Product,  ///< integer products
  Float,    ///< single precision
  Half,
  Special,  ///< the special-function unit, which also converts and counts bits
  Double,
  Matrix,
  Memory,  ///< loads, stores, atomics, and what lanes give each other
};
inline constexpr int kUnits = static_cast<int>(Unit::Memory) + 1;

Unit unit_of(const ptx::Instruction& in);

/// It becomes no machine instruction of its own: a copy, or a sign that its reader takes in.
bool is_folded(const ptx::Instruction& in);

}  // namespace cudalabs::sim
