#include "grader/sim/executable/address_parameter.h"

#include <utility>
#include <vector>

#include "grader/sim/analysis/dataflow.h"

namespace cudalabs::sim {
namespace {

using ptx::Instruction;
using ptx::Op;
using ptx::OperandKind;

/// The operands [first, second) of an instruction that an address may come from.
std::pair<std::size_t, std::size_t> address_operands(const Instruction& in) {
  switch (in.op) {
    case Op::Mov:
    case Op::Cvta:
    case Op::Sub: return {1, 2};
    case Op::Add:
    case Op::Selp: return {1, 3};
    case Op::Mad: return {3, 4};
    default: return {0, 0};
  }
}

}  // namespace

std::optional<ParameterWord> address_parameter(const ptx::Function& function, std::uint32_t instruction) {
  const Dataflow flow(function);
  std::vector<bool> seen(function.registers.size());
  std::vector<std::uint32_t> next;
  for (const ptx::Operand& o : function.body[instruction].operands)
    if (o.kind == OperandKind::Address && o.base_is_register && next.empty()) next.push_back(o.reg);
  std::optional<ParameterWord> found;
  while (!next.empty()) {
    const std::uint32_t reg = next.back();
    next.pop_back();
    if (seen[reg]) continue;
    seen[reg] = true;
    for (const std::uint32_t writer : flow.writers[reg]) {
      const Instruction& in = function.body[writer];
      if (in.op == Op::Ld && in.space == ptx::Space::Param && in.operands.size() == 2 &&
          in.operands[1].symbol_kind == ptx::SymbolKind::Parameter && in.operands[1].offset >= 0) {
        const ParameterWord word{in.operands[1].symbol, static_cast<std::uint32_t>(in.operands[1].offset)};
        if (found && *found != word) return std::nullopt;
        found = word;
        continue;
      }
      const auto [first, end] = address_operands(in);
      for (std::size_t k = first; k < end && k < in.operands.size(); ++k)
        if (in.operands[k].kind == OperandKind::Register) next.push_back(in.operands[k].reg);
    }
  }
  return found;
}

}  // namespace cudalabs::sim
