#include "grader/sim/analysis/dataflow.h"

#include <algorithm>

#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using ptx::Instruction;
using ptx::Op;
using ptx::Operand;
using ptx::OperandKind;

/// Special registers with the same value for all threads of a block.
bool is_block_uniform(ptx::Special special) {
  using enum ptx::Special;
  switch (special) {
    case NtidX:
    case NtidY:
    case NtidZ:
    case CtaidX:
    case CtaidY:
    case CtaidZ:
    case NctaidX:
    case NctaidY:
    case NctaidZ:
    case ClusterIdX:
    case ClusterIdY:
    case ClusterIdZ:
    case NclusterIdX:
    case NclusterIdY:
    case NclusterIdZ:
    case ClusterCtaIdX:
    case ClusterCtaIdY:
    case ClusterCtaIdZ:
    case ClusterNctaIdX:
    case ClusterNctaIdY:
    case ClusterNctaIdZ:
    case ClusterCtaRank:
    case ClusterNctaRank:
    case IsExplicitCluster:
    case GridId:
    case NwarpId:
    case DynamicSmemSize:
    case TotalSmemSize:
    case ReservedSmemBegin:
    case ReservedSmemEnd:
    case ReservedSmemCap:
    case ReservedSmem0:
    case ReservedSmem1:
    case EnvReg1:
    case EnvReg2: return true;
    default: return false;
  }
}

/// True if it may write values that differ between threads, whatever it reads.
bool is_source_of_difference(const Instruction& in) {
  if (ptx::traits_of(in.op).varies) return true;
  if (in.op == Op::Mov) {
    return std::any_of(in.operands.begin(), in.operands.end(), [](const Operand& o) {
      return o.kind == OperandKind::Special && !is_block_uniform(o.special);
    });
  }
  const bool is_constant = in.space == ptx::Space::Param || in.space == ptx::Space::Const;
  return ptx::access_of(in) != ptx::Access::None && !is_constant;
}

}  // namespace

Dataflow::Dataflow(const ptx::Function& function)
    : writers(function.registers.size()),
      readers(function.registers.size()),
      written(function.body.size()),
      read(function.body.size()),
      function_(function) {
  for (std::uint32_t i = 0; i < function.body.size(); ++i) {
    const Instruction& in = function.body[i];
    const auto reads = [&](std::uint32_t reg, Role role) {
      readers[reg].push_back({i, role});
      read[i].push_back(reg);
    };
    const auto visit = [&](auto&& self, const Operand& o, bool destination) -> void {
      if (o.kind == OperandKind::Address && o.base_is_register) reads(o.reg, Role::Address);
      if (o.kind == OperandKind::Register && destination) {
        writers[o.reg].push_back(i);
        written[i].push_back(o.reg);
      } else if (o.kind == OperandKind::Register) {
        reads(o.reg, Role::Value);
      }
      for (const Operand& e : o.elements) self(self, e, destination);
    };
    if (in.has_guard) reads(in.guard, Role::Value);
    for (std::size_t k = 0; k < in.operands.size(); ++k)
      visit(visit, in.operands[k], k == 0 && ptx::writes_first(in));
  }
}

std::uint32_t Dataflow::only_writer(const Operand& operand) const {
  if (operand.kind != OperandKind::Register || writers[operand.reg].size() != 1) return kNone;
  return writers[operand.reg].front();
}

std::uint32_t Dataflow::only_reader(std::uint32_t instruction) const {
  std::uint32_t found = kNone;
  for (const std::uint32_t reg : written[instruction]) {
    if (readers[reg].size() > 1 || (found != kNone && !readers[reg].empty())) return kNone;
    if (!readers[reg].empty()) found = readers[reg].front().instruction;
  }
  return found;
}

bool Dataflow::is_read(std::uint32_t instruction) const {
  const auto& regs = written[instruction];
  return std::any_of(regs.begin(), regs.end(), [&](std::uint32_t reg) { return !readers[reg].empty(); });
}

std::uint32_t Dataflow::variable(std::uint32_t instruction) const {
  std::vector<bool> seen(readers.size());
  std::vector<std::uint32_t> next;
  std::uint32_t found = kNone;
  bool several = false;
  const auto take = [&](const Operand& o) {
    if (o.kind == OperandKind::Register && !seen[o.reg]) next.push_back(o.reg);
    if (o.kind == OperandKind::Address && o.base_is_register && !seen[o.reg]) next.push_back(o.reg);
    const bool symbol =
        o.kind == OperandKind::Symbol || (o.kind == OperandKind::Address && !o.base_is_register);
    if (!symbol) return;
    several |= found != kNone && found != o.symbol;
    found = o.symbol;
  };
  for (const Operand& o : function_.body[instruction].operands)
    if (o.kind == OperandKind::Address) take(o);
  while (!next.empty() && !several) {
    const std::uint32_t reg = next.back();
    next.pop_back();
    if (seen[reg]) continue;
    seen[reg] = true;
    for (const std::uint32_t writer : writers[reg]) {
      const Instruction& in = function_.body[writer];
      if (ptx::access_of(in) != ptx::Access::None) continue;
      for (std::size_t k = ptx::writes_first(in) ? 1 : 0; k < in.operands.size(); ++k) take(in.operands[k]);
    }
  }
  return several ? kNone : found;
}

const Operand& Dataflow::source(const Operand& operand) const {
  const std::uint32_t writer = only_writer(operand);
  if (writer == kNone) return operand;
  const Instruction& in = function_.body[writer];
  return in.op == Op::Mov && !in.has_guard && in.operands.size() == 2 ? in.operands[1] : operand;
}

bool Dataflow::is_constant(const Operand& operand) const {
  const OperandKind kind = source(operand).kind;
  return kind == OperandKind::Immediate || kind == OperandKind::Symbol;
}

std::optional<std::uint64_t> Dataflow::constant(const Operand& operand) const {
  const Operand& from = source(operand);
  if (from.kind != OperandKind::Immediate) return std::nullopt;
  return from.bits;
}

std::vector<bool> block_uniform(const ptx::Function& function, const Dataflow& flow,
                                const std::vector<ConditionalRange>& conditions) {
  std::vector<bool> uniform(function.registers.size(), true);
  std::vector<std::vector<std::size_t>> conditions_of(function.registers.size());
  for (std::size_t c = 0; c < conditions.size(); ++c) conditions_of[conditions[c].predicate].push_back(c);
  std::vector<std::uint32_t> changed;
  const auto differs = [&](std::uint32_t reg) {
    if (!uniform[reg]) return;
    uniform[reg] = false;
    changed.push_back(reg);
  };
  for (std::uint32_t i = 0; i < function.body.size(); ++i) {
    if (!is_source_of_difference(function.body[i])) continue;
    for (const std::uint32_t reg : flow.written[i]) differs(reg);
  }
  while (!changed.empty()) {
    const std::uint32_t reg = changed.back();
    changed.pop_back();
    for (const Dataflow::Reader& reader : flow.readers[reg]) {
      for (const std::uint32_t result : flow.written[reader.instruction]) differs(result);
    }
    for (const std::size_t c : conditions_of[reg]) {
      for (std::uint32_t i = conditions[c].first; i < conditions[c].end; ++i) {
        for (const std::uint32_t result : flow.written[i]) {
          if (flow.writers[result].size() > 1) differs(result);
        }
      }
    }
  }
  return uniform;
}

}  // namespace cudalabs::sim
