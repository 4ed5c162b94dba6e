#include "grader/sim/lower/shared_scope.h"

#include <algorithm>
#include <map>
#include <vector>

namespace cudalabs::sim {
namespace {

/// Calls `visit` with each operand that refers to a module-scope variable, including nested operands.
template <class Operands, class Visit>
void for_each_module_variable(Operands& operands, const Visit& visit) {
  for (auto& operand : operands) {
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

std::uint32_t named_shared_bytes(const Program& kernel) {
  const std::vector<ptx::Variable>& variables = kernel.module->variables;
  std::vector<bool> named(variables.size());
  std::vector<const Program*> reached{&kernel};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const CallSite& site : reached[i]->calls) {
      const bool unknown = site.callee == nullptr && site.builtin == ptx::Builtin::None;
      if (unknown) return kernel.static_shared_bytes - kernel.reserved_shared_bytes;
      if (site.callee != nullptr && std::ranges::find(reached, site.callee) == reached.end())
        reached.push_back(site.callee);
    }
    for (const ptx::Instruction& in : reached[i]->function->body)
      for_each_module_variable(in.operands,
                               [&](const ptx::Operand& operand) { named[operand.symbol] = true; });
  }
  std::uint64_t bytes = 0;
  const auto place = [&](const ptx::Variable& v) {
    if (v.space != ptx::Space::Shared || v.is_extern) return;
    const auto align = std::max<std::uint64_t>(v.align, 1);
    bytes = (bytes + align - 1) / align * align + v.size;
  };
  for (std::size_t v = 0; v < variables.size(); ++v)
    if (named[v]) place(variables[v]);
  for (const Program* const program : reached) std::ranges::for_each(program->function->variables, place);
  return static_cast<std::uint32_t>(bytes);
}

}  // namespace cudalabs::sim
