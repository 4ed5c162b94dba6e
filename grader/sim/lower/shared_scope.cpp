#include "grader/sim/lower/shared_scope.h"

#include <map>
#include <vector>

namespace cudalabs::sim {
namespace {

/// Calls `visit` with each operand that refers to a module-scope variable, including nested operands.
template <class Visit>
void for_each_module_variable(std::vector<ptx::Operand>& operands, const Visit& visit) {
  for (ptx::Operand& operand : operands) {
    if (operand.symbol_kind == ptx::SymbolKind::ModuleVariable) visit(operand);
    for_each_module_variable(operand.elements, visit);
  }
}

}  // namespace

void give_kernels_their_shared(ptx::Module& module) {
  std::vector<bool> moves;
  for (const ptx::Variable& variable : module.variables)
    moves.push_back(variable.space == ptx::Space::Shared && !variable.is_extern);
  for (ptx::Function& function : module.functions) {
    if (function.is_entry) continue;
    for (ptx::Instruction& in : function.body)
      for_each_module_variable(in.operands,
                               [&](const ptx::Operand& operand) { moves[operand.symbol] = false; });
  }
  for (ptx::Function& function : module.functions) {
    std::map<std::uint32_t, std::uint32_t> own;  // by number in the module: number in the function
    const auto rename = [&](ptx::Operand& operand) {
      if (!moves[operand.symbol]) return;
      const auto [place, fresh] =
          own.emplace(operand.symbol, static_cast<std::uint32_t>(function.variables.size()));
      if (fresh) function.variables.push_back(module.variables[operand.symbol]);
      operand.symbol_kind = ptx::SymbolKind::FunctionVariable;
      operand.symbol = place->second;
    };
    for (ptx::Instruction& in : function.body) for_each_module_variable(in.operands, rename);
  }
  for (std::size_t v = 0; v < moves.size(); ++v) {
    if (moves[v]) module.variables[v].size = 0;
  }
}

}  // namespace cudalabs::sim
