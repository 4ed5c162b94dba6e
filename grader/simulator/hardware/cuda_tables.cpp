#include "grader/simulator/hardware/cuda_tables.h"

#include <algorithm>

#include "grader/simulator/hardware/dataflow.h"
#include "grader/simulator/ptx/traits.h"

namespace cudalabs::sim {
namespace {

/// Is it a table of CUDA's own?
bool names_table(const ptx::Module& module, const ptx::Operand& operand) {
  if (operand.symbol_kind != ptx::SymbolKind::ModuleVariable) return false;
  const ptx::Variable& variable = module.variables[operand.symbol];
  // Theirs have up to 144 bytes. A student's array is not theirs because of its name.
  constexpr std::uint64_t kLargest = 256;
  return variable.name.starts_with("__cudart_") && !variable.initial.empty() && variable.size <= kLargest;
}

}  // namespace

std::vector<bool> cuda_table_loads(const ptx::Module& module, const ptx::Function& function) {
  const std::vector<ptx::Instruction>& body = function.body;
  const auto names = [&](const ptx::Instruction& in) {
    return std::ranges::any_of(in.operands, [&](const ptx::Operand& o) { return names_table(module, o); });
  };
  if (std::ranges::none_of(body, names)) return {};
  const Dataflow flow(function);
  std::vector<bool> loads(body.size()), address(function.registers.size());
  // A loop moves its address on in a register that stands further up: until nothing new is found.
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < body.size(); ++i) {
      const bool of_table = names(body[i]) || std::ranges::any_of(flow.read[i], [&](std::uint32_t reg) {
                              return address[reg];
                            });
      if (!of_table) continue;
      const ptx::Access access = ptx::access_of(body[i]);
      if (access == ptx::Access::Load) loads[i] = true;
      if (access != ptx::Access::None) continue;
      for (const std::uint32_t reg : flow.written[i]) {
        // Comparisons with an address are none.
        if (address[reg] || function.registers[reg].type == ptx::Type::Pred) continue;
        address[reg] = true;
        more = true;
      }
    }
  }
  return loads;
}

}  // namespace cudalabs::sim
