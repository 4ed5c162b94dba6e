#pragma once
// The costs that ptxas compares to the limits of docs/counters.md when it decides whether to predicate a
// body. The estimate uses the costs of single instructions.

#include <cstdint>
#include <vector>

#include "grader/sim/analysis/dataflow.h"

namespace cudalabs::sim {

/// The machine instructions of a function's instructions in context: instructions that others absorb cost
/// nothing (sums in an address, a product in fma, mad or LEA, logic in lop3), 64-bit operations cost two, and
/// parameters and constants are counted where they are loaded into a register.
class PredicationCosts {
 public:
  PredicationCosts(const ptx::Function& function, const Dataflow& flow);

  /// Cost of [first, end); a constant that is used after it must be in a register.
  [[nodiscard]] std::uint32_t of(std::uint32_t first, std::uint32_t end) const;
  [[nodiscard]] std::uint32_t of(std::uint32_t instruction) const { return cost_[instruction]; }

 private:
  void find_dead_and_addresses();
  void find_first_uses();
  [[nodiscard]] std::uint32_t stored_pair(std::uint32_t i) const;
  std::uint32_t cost(std::uint32_t i, std::vector<bool>& full) const;

  const std::vector<ptx::Instruction>& body_;
  const std::vector<ptx::Register>& registers_;
  const Dataflow& flow_;
  std::vector<std::uint32_t> cost_;
  std::vector<bool> dead_;
  std::vector<std::uint32_t> first_use_;
  std::vector<bool> feeds_address_;
};

}  // namespace cudalabs::sim
