// Branches, calls, barriers and warp-wide operations.

#include <algorithm>
#include <array>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/base/demangle.h"
#include "grader/sim/lower/lowering.h"
#include "grader/sim/ptx/traits.h"
#include "grader/sim/ptx/warp_forms.h"

namespace cudalabs::sim {
namespace {

bool ends_kernel(const ptx::Function& f, std::uint32_t index) {
  return index >= f.body.size() || (ptx::is_return(f.body[index].op) && !f.body[index].has_guard);
}

/// By index into ptx::warp_forms().
constexpr WarpOp kWarpOperations[] = {
#define CUDALABS_WARP_FORM(operation, ...) WarpOp::operation,
#define CUDALABS_WARP_OPCODE(op, mnemonic, operands, types, mods, category, effects, forms) forms
#include "grader/sim/ptx/warp_opcodes.def"
#undef CUDALABS_WARP_OPCODE
#undef CUDALABS_WARP_FORM
};

}  // namespace

void Lowering::branch(const ptx::Instruction& in) {
  if (in.op == ptx::Op::BrxIdx) {
    const std::uint32_t index = read(operand(in, 0), ptx::Type::U32);
    program_.branch_tables.push_back(function_.branch_targets.at(operand(in, 1).symbol));
    Inst& i = emit(HandlerPair{}, Flow::BranchTable);
    i.a = index;
    i.target = static_cast<std::uint32_t>(program_.branch_tables.size() - 1);
    return;
  }
  const std::uint32_t target = operand(in, 0).label;
  // A branch to the end of a kernel exits at once, as in the hardware's compiler (@P EXIT): lanes that return
  // early have exited before the others reach a barrier.
  if (function_.is_entry && ends_kernel(function_, target)) {
    emit(HandlerPair{}, Flow::Exit);
    return;
  }
  if (waiting_loops_.branches[current_]) emit(HandlerPair{}, Flow::GiveWay);
  emit(HandlerPair{}, Flow::Branch).target = target;
}

void Lowering::call(const ptx::Instruction& in) {
  CallSite site;
  const ptx::Operand& target = operand(in, 1);
  const auto area = [&](const ptx::Operand& o) {
    if (o.kind != ptx::OperandKind::Symbol || o.symbol_kind != ptx::SymbolKind::FunctionVariable ||
        function_.variables[o.symbol].space != ptx::Space::Param) {
      throw Refusal{msg::call_of_no_param()};
    }
    return ParamArea{variable_offsets_[o.symbol], area_bytes(function_.variables[o.symbol].size)};
  };
  for (const ptx::Operand& o : operand(in, 0).elements) site.results.push_back(area(o));
  for (const ptx::Operand& o : operand(in, 2).elements) site.arguments.push_back(area(o));
  if (target.kind == ptx::OperandKind::Symbol && target.symbol_kind == ptx::SymbolKind::Function) {
    const ptx::Function& callee = module_.functions[target.symbol];
    if (callee.is_declaration) site.builtin = ptx::builtin_named(callee.name);
    if (callee.is_declaration && site.builtin == ptx::Builtin::None) {
      throw Refusal{msg::function_undefined(demangle(callee.name, false)), msg::define_or_rdc_hint()};
    }
    if (site.builtin == ptx::Builtin::None) {
      if (callee.is_entry) throw Refusal{msg::kernel_called()};
      // The parser has checked the declaration before the call; this checks the final definition.
      if (site.arguments.size() != callee.params.size() || site.results.size() != callee.returns.size())
        throw Refusal{msg::call_arguments_wrong(demangle(callee.name, false))};
      site.callee = programs_[target.symbol].get();
    }
  } else {
    site.pointer = read(target, ptx::Type::U64);
  }
  program_.calls.push_back(std::move(site));
  emit(HandlerPair{}, Flow::Call).target = static_cast<std::uint32_t>(program_.calls.size() - 1);
}

void Lowering::barrier(const ptx::Instruction& in) {
  // Each block is a cluster: its barrier opens when all its threads wait, whichever have arrived before.
  const bool of_cluster = in.has(ptx::Mod::Cluster);
  if (of_cluster && in.has(ptx::Mod::Arrive)) {
    emit(WarpOp::Fence).imm = 1;
    return;
  }
  BarrierKind kind = BarrierKind::Sync;
  if (in.has(ptx::Mod::Arrive)) kind = BarrierKind::Arrive;
  std::uint32_t d = kNone, c = kNone;
  std::size_t first = 0;
  if (in.has(ptx::Mod::Red)) {
    if (in.operands.size() < 3) throw Refusal{msg::operand_missing()};
    kind = in.has(ptx::Mod::And)  ? BarrierKind::RedAnd
           : in.has(ptx::Mod::Or) ? BarrierKind::RedOr
                                  : BarrierKind::RedPopc;
    d = reg(operand(in, 0));
    c = read_predicate(in.operands.back());
    first = 1;
  }
  const std::size_t numbers = in.operands.size() - first - (kind >= BarrierKind::RedPopc ? 1 : 0);
  const ptx::Operand* const number = numbers > 0 ? &operand(in, first) : nullptr;
  const bool known = number == nullptr || number->kind == ptx::OperandKind::Immediate;
  const std::uint32_t id = known ? kNone : read(*number, ptx::Type::U32);
  const std::uint32_t count = numbers > 1 ? read(operand(in, first + 1), ptx::Type::U32) : kNone;
  Inst& i = emit(HandlerPair{}, Flow::Barrier);
  i.a = id;
  if (known) i.extra = number == nullptr ? 0 : static_cast<std::uint32_t>(number->bits & 15);
  if (of_cluster) i.extra = kClusterBarrier;
  i.b = count;
  i.c = c;
  i.d = d;
  i.imm = static_cast<std::int64_t>(kind);
}

void Lowering::warp(const ptx::Instruction& in) {
  const auto form = ptx::warp_form_of(in);
  if (!form) throw Refusal{msg::warp_instruction_unsupported(), msg::use_shuffles_hint()};
  const WarpOp op = kWarpOperations[*form];
  const auto& o = in.operands;
  const auto register_or_none = [&](const ptx::Operand& d) {
    return d.kind == ptx::OperandKind::Register ? reg(d) : kNone;
  };
  std::uint32_t d = kNone, extra = kNone, mask = kNone;
  std::int64_t imm = (in.has(ptx::Mod::Abs) ? 1 : 0) | (in.has(ptx::Mod::PropagateNan) ? 2 : 0);
  const std::size_t first = ptx::writes_first(in) ? 1 : 0;
  if (first == 1) {
    d = register_or_none(o[0]);
    if (!o[0].elements.empty()) extra = register_or_none(o[0].elements[0]);
  }
  std::array<std::uint32_t, 3> sources{kNone, kNone, kNone};
  for (std::size_t k = first; k < o.size(); ++k) {
    const ptx::Type type = ptx::type_of_operand(in, k);
    if (k + 1 == o.size()) {
      mask = read(o[k], type);
    } else if (type == ptx::Type::Pred) {
      // The handler negates; a constant has no register.
      sources.at(k - first) = o[k].kind == ptx::OperandKind::Register ? reg(o[k]) : read_predicate(o[k]);
      imm = o[k].negated ? 1 : 0;
    } else {
      sources.at(k - first) = read(o[k], type);
    }
  }
  // Shuffles, elect and match.all have a second result.
  if (first == 1 && d == kNone && extra == kNone) throw Refusal{msg::result_missing()};
  if (d == kNone && in.op == ptx::Op::Match && in.has(ptx::Mod::Any)) throw Refusal{msg::match_any_result()};
  Inst& i = emit(op, mask == kNone ? Flow::Plain : Flow::WarpSync);
  i.d = d;
  i.a = sources[0];
  i.b = sources[1];
  i.c = sources[2];
  i.extra = extra;
  i.imm = imm;
  i.target = mask;
}

}  // namespace cudalabs::sim
