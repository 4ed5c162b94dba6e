#include "grader/sim/executable/address_origin.h"

#include <algorithm>
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

std::optional<AddressOrigin> address_origin(const ptx::Function& function, std::uint32_t instruction) {
  using ptx::SymbolKind;
  const Dataflow flow(function);
  std::vector<bool> seen(function.registers.size());
  std::vector<std::uint32_t> next;
  std::optional<AddressOrigin> found;
  bool several = false;
  const auto take = [&](const AddressOrigin& origin) {
    several |= found && *found != origin;
    found = origin;
  };
  const auto follow = [&](const ptx::Operand& o) {
    const bool variable =
        o.symbol_kind == SymbolKind::ModuleVariable || o.symbol_kind == SymbolKind::FunctionVariable;
    const bool named =
        o.kind == OperandKind::Symbol || (o.kind == OperandKind::Address && !o.base_is_register);
    if (named && variable) take({o.symbol_kind, o.symbol, 0});
    if (o.kind == OperandKind::Register || (o.kind == OperandKind::Address && o.base_is_register))
      next.push_back(o.reg);
  };
  const auto& operands = function.body[instruction].operands;
  const auto address = std::ranges::find(operands, OperandKind::Address, &ptx::Operand::kind);
  if (address != operands.end()) follow(*address);
  while (!next.empty()) {
    const std::uint32_t reg = next.back();
    next.pop_back();
    if (seen[reg]) continue;
    seen[reg] = true;
    for (const std::uint32_t writer : flow.writers[reg]) {
      const Instruction& in = function.body[writer];
      if (in.op == Op::Ld && in.space == ptx::Space::Param && in.operands.size() == 2 &&
          in.operands[1].symbol_kind == SymbolKind::Parameter && in.operands[1].offset >= 0) {
        take({SymbolKind::Parameter, in.operands[1].symbol,
              static_cast<std::uint32_t>(in.operands[1].offset)});
        continue;
      }
      const auto [first, end] = address_operands(in);
      for (std::size_t k = first; k < end && k < in.operands.size(); ++k) follow(in.operands[k]);
    }
  }
  return several ? std::nullopt : found;
}

}  // namespace cudalabs::sim
