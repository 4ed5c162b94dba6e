// Branches, calls, barriers and warp-wide operations.

#include <algorithm>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/base/demangle.h"
#include "grader/sim/lower/lowering.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

bool ends_kernel(const ptx::Function& f, std::uint32_t index) {
  return index >= f.body.size() || (ptx::is_return(f.body[index].op) && !f.body[index].has_guard);
}

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
  using enum ptx::Mod;
  const auto& o = in.operands;
  const auto destination = [&](const ptx::Operand& d) {
    return d.kind == ptx::OperandKind::Register ? reg(d) : kNone;
  };
  const auto second = [&](const ptx::Operand& d) {
    return d.elements.empty() || d.elements[0].kind != ptx::OperandKind::Register ? kNone
                                                                                  : reg(d.elements[0]);
  };
  WarpOp op{};
  std::uint32_t d = kNone, a = kNone, b = kNone, c = kNone, extra = kNone, mask = kNone;
  std::int64_t imm = 0;
  switch (in.op) {
    case ptx::Op::BarWarp:
      op = WarpOp::Nop;
      mask = read(o[0], ptx::Type::B32);
      break;
    case ptx::Op::Activemask:
      op = WarpOp::ActiveMask;
      d = destination(o[0]);
      break;
    case ptx::Op::Shfl:
      op = in.has(Up)     ? WarpOp::ShflUp
           : in.has(Down) ? WarpOp::ShflDown
           : in.has(Bfly) ? WarpOp::ShflBfly
                          : WarpOp::ShflIdx;
      d = destination(o[0]);
      extra = second(o[0]);
      a = read(o[1], ptx::Type::B32);
      b = read(o[2], ptx::Type::B32);
      c = read(o[3], ptx::Type::B32);
      mask = read(o[4], ptx::Type::B32);
      break;
    case ptx::Op::Vote:
      op = in.has(All)   ? WarpOp::VoteAll
           : in.has(Any) ? WarpOp::VoteAny
           : in.has(Uni) ? WarpOp::VoteUni
                         : WarpOp::VoteBallot;
      d = destination(o[0]);
      // The handler negates; a constant has no register.
      a = o[1].kind == ptx::OperandKind::Register ? reg(o[1]) : read_predicate(o[1]);
      imm = o[1].negated ? 1 : 0;
      mask = read(o[2], ptx::Type::B32);
      break;
    case ptx::Op::Match: {
      const bool wide = wide_type(in.type());
      op = in.has(Any) ? (wide ? WarpOp::MatchAny64 : WarpOp::MatchAny32)
                       : (wide ? WarpOp::MatchAll64 : WarpOp::MatchAll32);
      d = destination(o[0]);
      extra = second(o[0]);
      a = read(o[1], in.type());
      mask = read(o[2], ptx::Type::B32);
      break;
    }
    case ptx::Op::Redux: {
      const bool s = in.type() == ptx::Type::S32;
      op = in.type() == ptx::Type::F32 ? (in.has(Min) ? WarpOp::ReduxMinF : WarpOp::ReduxMaxF)
           : in.has(Add)               ? WarpOp::ReduxAdd
           : in.has(Min)               ? (s ? WarpOp::ReduxMinS : WarpOp::ReduxMinU)
           : in.has(Max)               ? (s ? WarpOp::ReduxMaxS : WarpOp::ReduxMaxU)
           : in.has(And)               ? WarpOp::ReduxAnd
           : in.has(Or)                ? WarpOp::ReduxOr
                                       : WarpOp::ReduxXor;
      d = destination(o[0]);
      a = read(o[1], in.type());
      imm = (in.has(Abs) ? 1 : 0) | (in.has(PropagateNan) ? 2 : 0);
      mask = read(o[2], ptx::Type::B32);
      break;
    }
    case ptx::Op::Elect:
      op = WarpOp::Elect;
      d = destination(o[0]);
      extra = second(o[0]);
      mask = read(o[1], ptx::Type::B32);
      break;
    default: throw Refusal{msg::warp_instruction_unsupported(), msg::use_shuffles_hint()};
  }
  // Shuffles, elect and match.all have a second result.
  if (d == kNone && extra == kNone && in.op != ptx::Op::BarWarp) throw Refusal{msg::result_missing()};
  if (d == kNone && in.op == ptx::Op::Match && in.has(Any)) throw Refusal{msg::match_any_result()};
  Inst& i = emit(op, mask == kNone ? Flow::Plain : Flow::WarpSync);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  i.extra = extra;
  i.imm = imm;
  i.target = mask;
}

}  // namespace cudalabs::sim
