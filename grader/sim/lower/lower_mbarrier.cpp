// mbarrier and cp.async.mbarrier.arrive. The validator does not check the operands of mbarrier; this code
// does.

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/lower/lowering.h"
#include "grader/sim/ops/memory/mbarrier.h"

namespace cudalabs::sim {
namespace {

using ptx::Mod;
using ptx::OperandKind;
using ptx::Type;

MbarrierOp operation_of(const ptx::Instruction& in) {
  using enum MbarrierOp;
  if (in.op == ptx::Op::CpAsyncMbarrierArrive) return in.has(Mod::Noinc) ? Arrive : CopyArrive;
  if (in.has(Mod::Init)) return Init;
  if (in.has(Mod::Inval)) return Invalidate;
  if (in.has(Mod::Arrive))
    return in.has(Mod::ExpectTx) ? ArriveExpect : in.has(Mod::NoComplete) ? ArriveNoComplete : Arrive;
  if (in.has(Mod::ArriveDrop))
    return in.has(Mod::ExpectTx)     ? ArriveDropExpect
           : in.has(Mod::NoComplete) ? ArriveDropNoComplete
                                     : ArriveDrop;
  if (in.has(Mod::TestWait) || in.has(Mod::TryWait)) return in.has(Mod::Parity) ? TestParity : TestToken;
  if (in.has(Mod::ExpectTx)) return ExpectBytes;
  if (in.has(Mod::CompleteTx)) return CompleteBytes;
  throw Refusal{msg::mbarrier_unsupported(), msg::use_cuda_barrier_hint()};
}

}  // namespace

void Lowering::mbarrier(const ptx::Instruction& in) {
  using enum MbarrierOp;
  const auto& o = in.operands;
  const auto expect = [](bool fits) {
    if (!fits) throw Refusal{msg::operands_of_other_instruction()};
  };
  const auto destination = [&](const ptx::Operand& d, auto fits) {
    expect(d.kind == OperandKind::Register && d.elements.empty() && fits(function_.registers[d.reg].type));
    return reg(d);
  };
  const auto value = [&](const ptx::Operand& s, Type type) {
    expect(s.kind == OperandKind::Immediate ||
           (s.kind == OperandKind::Register &&
            ptx::size_of(function_.registers[s.reg].type) == ptx::size_of(type)));
    return read(s, type);
  };
  if (in.has(Mod::PendingCount)) {
    expect(o.size() == 2);
    const std::uint32_t a = value(o[1], Type::B64),
                        d = destination(o[0], [](Type t) { return ptx::size_of(t) == 4; });
    Inst& i = emit(HandlerPair{mbarrier_pending_handler(), mbarrier_pending_handler()});
    i.a = a;
    i.d = d;
    return;
  }
  const MbarrierOp op = operation_of(in);
  const bool tests = op == TestToken || op == TestParity;
  const bool arrives = op == Arrive || op == ArriveNoComplete || op == ArriveDrop || op == ArriveExpect ||
                       op == ArriveDropNoComplete || op == ArriveDropExpect;
  const std::size_t at = (arrives && in.op == ptx::Op::Mbarrier) || tests ? 1 : 0;  // index of the address
  const bool needs_value = tests || op == Init || op == ArriveNoComplete || op == ArriveExpect ||
                           op == ArriveDropNoComplete || op == ArriveDropExpect || op == ExpectBytes ||
                           op == CompleteBytes;
  expect(o.size() > at + (needs_value ? 1 : 0) && o[at].kind == OperandKind::Address);
  std::uint32_t d = kNone, b = kNone;
  if (at == 1 && o[0].kind != OperandKind::Sink) {
    d = destination(o[0], [&](Type t) { return tests ? t == Type::Pred : ptx::size_of(t) == 8; });
  }
  expect(!tests || d != kNone);
  if (o.size() > at + 1) b = value(o[at + 1], op == TestToken ? Type::B64 : Type::U32);
  bool wide = true;
  const std::uint32_t base = base_address(o[at], in.space, wide);
  const bool generic = in.space != ptx::Space::Shared;
  expect(wide || !generic);
  const Handler h = mbarrier_handler(op, wide, generic);
  Inst& i = emit(HandlerPair{h, h}, tests ? Flow::Poll : Flow::Checked);
  i.a = base;
  i.b = b;
  i.d = d;
  i.imm = o[at].offset;
}

}  // namespace cudalabs::sim
