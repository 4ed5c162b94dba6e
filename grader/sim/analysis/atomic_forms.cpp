#include "grader/sim/analysis/atomic_forms.h"

#include <algorithm>

#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using ptx::Instruction;
using ptx::Mod;
using ptx::Operand;
using ptx::OperandKind;

bool is_atomic(const Instruction& in) { return ptx::access_of(in) == ptx::Access::Atomic; }

/// True if the operand is the constant 1: an immediate, or a register that never holds another value.
bool is_one(const ptx::Function& function, const Dataflow& flow, const Operand& operand) {
  if (operand.kind == OperandKind::Immediate) return operand.bits == 1;
  return flow.is_constant(operand) && operand.kind == OperandKind::Register &&
         is_one(function, flow, function.body[flow.only_writer(operand)].operands[1]);
}

AtomicForm form_of(const ptx::Function& function, const Dataflow& flow, const std::vector<bool>& uniform,
                   std::uint32_t i) {
  using Kind = AtomicForm::Kind;
  const Instruction& in = function.body[i];
  const std::size_t first = ptx::writes_first(in) ? 1 : 0;
  const Operand &address = in.operands[first], &value = in.operands[first + 1];
  const bool wide = ptx::size_of(in.type()) == 8;
  const bool used = flow.is_read(i);
  const bool add = in.has(Mod::Add);
  AtomicForm form;
  if (in.has(Mod::Cas)) {
    form.kind = Kind::CompareAndSwap;
  } else if (ptx::is_float(in.type()) || (wide && !in.has(Mod::Exch))) {
    form.kind = Kind::Loop;
  } else {
    form.kind = add && !used && is_one(function, flow, value) ? Kind::Increment : Kind::Plain;
  }
  const bool combines = add || (!used && (in.has(Mod::Min) || in.has(Mod::Max) || in.has(Mod::And) ||
                                          in.has(Mod::Or) || in.has(Mod::Xor)));
  const bool one_address = !address.base_is_register || uniform[address.reg];
  form.combined =
      combines && one_address && !ptx::is_float(in.type()) && (!wide || (add && flow.is_constant(value)));
  return form;
}

}  // namespace

std::vector<AtomicForm> atomic_forms(const ptx::Function& function) {
  if (std::none_of(function.body.begin(), function.body.end(), is_atomic)) return {};
  const Dataflow flow(function);
  const std::vector<bool> uniform = block_uniform(function, flow, {});
  std::vector<AtomicForm> forms(function.body.size());
  for (std::uint32_t i = 0; i < function.body.size(); ++i) {
    if (is_atomic(function.body[i])) forms[i] = form_of(function, flow, uniform, i);
  }
  return forms;
}

}  // namespace cudalabs::sim
