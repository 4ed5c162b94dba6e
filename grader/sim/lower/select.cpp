// Selects the handler of an arithmetic instruction. Plain cases are rows of a table; modifiers (flush to
// zero, saturation, directed rounding, pairs of halves) are composed from additional instructions around the
// plain one, so that they need no handlers of their own.

#include <cfenv>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/lower/lowering.h"
#include "grader/sim/ptx/rules.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using enum ptx::Type;
using ptx::Mod;
using ptx::Op;
using ptx::Type;

struct Row {
  Op op;
  Type type;
  Mod form;
  Arith arith;
};

// A signed and an unsigned type share a row where two's complement makes them equal.
#define BOTH(op, size, form, arith) \
  {Op::op, U##size, form, Arith::arith}, { Op::op, S##size, form, Arith::arith }
#define ONE(op, type, form, arith) \
  { Op::op, type, form, Arith::arith }
constexpr Row kRows[] = {
    BOTH(Add, 16, kPlain, AddU16),
    BOTH(Add, 32, kPlain, AddU32),
    BOTH(Add, 64, kPlain, AddU64),
    ONE(Add, F32, kPlain, AddF32),
    ONE(Add, F64, kPlain, AddF64),
    ONE(Add, S32, Mod::Sat, AddSatS32),
    BOTH(Sub, 16, kPlain, SubU16),
    BOTH(Sub, 32, kPlain, SubU32),
    BOTH(Sub, 64, kPlain, SubU64),
    ONE(Sub, F32, kPlain, SubF32),
    ONE(Sub, F64, kPlain, SubF64),
    ONE(Sub, S32, Mod::Sat, SubSatS32),
    BOTH(Mul, 16, Mod::Lo, MulLoU16),
    BOTH(Mul, 32, Mod::Lo, MulLoU32),
    BOTH(Mul, 64, Mod::Lo, MulLoU64),
    ONE(Mul, U16, Mod::Hi, MulHiU16),
    ONE(Mul, S16, Mod::Hi, MulHiS16),
    ONE(Mul, U32, Mod::Hi, MulHiU32),
    ONE(Mul, S32, Mod::Hi, MulHiS32),
    ONE(Mul, U64, Mod::Hi, MulHiU64),
    ONE(Mul, S64, Mod::Hi, MulHiS64),
    ONE(Mul, U16, Mod::Wide, MulWideU16),
    ONE(Mul, S16, Mod::Wide, MulWideS16),
    ONE(Mul, U32, Mod::Wide, MulWideU32),
    ONE(Mul, S32, Mod::Wide, MulWideS32),
    ONE(Mul, F32, kPlain, MulF32),
    ONE(Mul, F64, kPlain, MulF64),
    BOTH(Mad, 16, Mod::Lo, MadLoU16),
    BOTH(Mad, 32, Mod::Lo, MadLoU32),
    BOTH(Mad, 64, Mod::Lo, MadLoU64),
    ONE(Mad, U32, Mod::Hi, MadHiU32),
    ONE(Mad, S32, Mod::Hi, MadHiS32),
    ONE(Mad, U64, Mod::Hi, MadHiU64),
    ONE(Mad, S64, Mod::Hi, MadHiS64),
    ONE(Mad, U16, Mod::Wide, MadWideU16),
    ONE(Mad, S16, Mod::Wide, MadWideS16),
    ONE(Mad, U32, Mod::Wide, MadWideU32),
    ONE(Mad, S32, Mod::Wide, MadWideS32),
    ONE(Mad, F32, kPlain, FmaF32),
    ONE(Mad, F64, kPlain, FmaF64),
    ONE(Mul24, U32, Mod::Lo, Mul24LoU32),
    ONE(Mul24, S32, Mod::Lo, Mul24LoS32),
    ONE(Mul24, U32, Mod::Hi, Mul24HiU32),
    ONE(Mul24, S32, Mod::Hi, Mul24HiS32),
    ONE(Mad24, U32, Mod::Hi, Mad24HiU32),
    ONE(Mad24, S32, Mod::Hi, Mad24HiS32),
    ONE(Mad, U16, Mod::Hi, MadHiU16),
    ONE(Mad, S16, Mod::Hi, MadHiS16),
    ONE(Mad24, U32, Mod::Lo, Mad24LoU32),
    ONE(Mad24, S32, Mod::Lo, Mad24LoS32),
    ONE(Fma, F32, kPlain, FmaF32),
    ONE(Fma, F64, kPlain, FmaF64),
    ONE(Div, U16, kPlain, DivU16),
    ONE(Div, S16, kPlain, DivS16),
    ONE(Div, U32, kPlain, DivU32),
    ONE(Div, S32, kPlain, DivS32),
    ONE(Div, U64, kPlain, DivU64),
    ONE(Div, S64, kPlain, DivS64),
    ONE(Div, F32, kPlain, DivF32),
    ONE(Div, F64, kPlain, DivF64),
    ONE(Rem, U16, kPlain, RemU16),
    ONE(Rem, S16, kPlain, RemS16),
    ONE(Rem, U32, kPlain, RemU32),
    ONE(Rem, S32, kPlain, RemS32),
    ONE(Rem, U64, kPlain, RemU64),
    ONE(Rem, S64, kPlain, RemS64),
    ONE(Abs, S16, kPlain, AbsS16),
    ONE(Abs, S32, kPlain, AbsS32),
    ONE(Abs, S64, kPlain, AbsS64),
    ONE(Abs, F32, kPlain, AbsF32),
    ONE(Abs, F64, kPlain, AbsF64),
    ONE(Neg, S16, kPlain, NegS16),
    ONE(Neg, S32, kPlain, NegS32),
    ONE(Neg, S64, kPlain, NegS64),
    ONE(Neg, F32, kPlain, NegF32),
    ONE(Neg, F64, kPlain, NegF64),
    ONE(Min, U16, kPlain, MinU16),
    ONE(Min, S16, kPlain, MinS16),
    ONE(Min, U32, kPlain, MinU32),
    ONE(Min, S32, kPlain, MinS32),
    ONE(Min, U64, kPlain, MinU64),
    ONE(Min, S64, kPlain, MinS64),
    ONE(Min, F32, kPlain, MinF32),
    ONE(Min, F64, kPlain, MinF64),
    ONE(Min, F32, Mod::PropagateNan, MinNanF32),
    ONE(Max, U16, kPlain, MaxU16),
    ONE(Max, S16, kPlain, MaxS16),
    ONE(Max, U32, kPlain, MaxU32),
    ONE(Max, S32, kPlain, MaxS32),
    ONE(Max, U64, kPlain, MaxU64),
    ONE(Max, S64, kPlain, MaxS64),
    ONE(Max, F32, kPlain, MaxF32),
    ONE(Max, F64, kPlain, MaxF64),
    ONE(Max, F32, Mod::PropagateNan, MaxNanF32),
    ONE(Add, U16x2, kPlain, AddU16x2),
    ONE(Add, S16x2, kPlain, AddU16x2),
    ONE(Sub, U16x2, kPlain, SubU16x2),
    ONE(Sub, S16x2, kPlain, SubU16x2),
    ONE(Min, U16x2, kPlain, MinU16x2),
    ONE(Min, S16x2, kPlain, MinS16x2),
    ONE(Max, U16x2, kPlain, MaxU16x2),
    ONE(Max, S16x2, kPlain, MaxS16x2),
    ONE(Sad, U16, kPlain, SadU16),
    ONE(Sad, S16, kPlain, SadS16),
    ONE(Sad, U64, kPlain, SadU64),
    ONE(Sad, S64, kPlain, SadS64),
    ONE(Sad, U32, kPlain, SadU32),
    ONE(Sad, S32, kPlain, SadS32),
    ONE(Szext, U32, Mod::Wrap, SzextWrapU32),
    ONE(Szext, S32, Mod::Wrap, SzextWrapS32),
    ONE(Szext, U32, Mod::Clamp, SzextClampU32),
    ONE(Szext, S32, Mod::Clamp, SzextClampS32),
    ONE(Fns, B32, kPlain, Fns),
    ONE(Prmt, B32, kPlain, Prmt),
    ONE(Prmt, B32, Mod::F4e, PrmtForward4),
    ONE(Prmt, B32, Mod::B4e, PrmtBackward4),
    ONE(Prmt, B32, Mod::Rc8, PrmtReplicate8),
    ONE(Prmt, B32, Mod::Ecl, PrmtClampLeft),
    ONE(Prmt, B32, Mod::Ecr, PrmtClampRight),
    ONE(Prmt, B32, Mod::Rc16, PrmtReplicate16),
    ONE(Vabsdiff4, U32, kPlain, Vabsdiff4U),
    ONE(Vabsdiff4, S32, kPlain, Vabsdiff4S),
    ONE(Vabsdiff4, S32, Mod::Sat, Vabsdiff4Sat),
    ONE(Vabsdiff4, U32, Mod::Add, Vabsdiff4AddU),
    ONE(Vabsdiff4, S32, Mod::Add, Vabsdiff4AddS),
    ONE(Vabsdiff2, U32, kPlain, Vabsdiff2U),
    ONE(Vabsdiff2, S32, kPlain, Vabsdiff2S),
    ONE(Vabsdiff2, S32, Mod::Sat, Vabsdiff2Sat),
    ONE(Vabsdiff2, U32, Mod::Add, Vabsdiff2AddU),
    ONE(Vabsdiff2, S32, Mod::Add, Vabsdiff2AddS),
    ONE(Copysign, F32, kPlain, CopysignF32),
    ONE(Copysign, F64, kPlain, CopysignF64),
    ONE(Sqrt, F32, kPlain, SqrtF32),
    ONE(Sqrt, F64, kPlain, SqrtF64),
    ONE(Rcp, F32, kPlain, RcpF32),
    ONE(Rcp, F64, kPlain, RcpF64),
    ONE(Rsqrt, F32, kPlain, RsqrtF32),
    ONE(Rsqrt, F64, kPlain, RsqrtF64),
    ONE(Sin, F32, kPlain, SinF32),
    ONE(Cos, F32, kPlain, CosF32),
    ONE(Lg2, F32, kPlain, Lg2F32),
    ONE(Ex2, F32, kPlain, Ex2F32),
    ONE(Tanh, F32, kPlain, TanhF32),
    ONE(Popc, B32, kPlain, Popc32),
    ONE(Popc, B64, kPlain, Popc64),
    ONE(Clz, B32, kPlain, Clz32),
    ONE(Clz, B64, kPlain, Clz64),
    ONE(Brev, B32, kPlain, Brev32),
    ONE(Brev, B64, kPlain, Brev64),
    ONE(Bfind, U32, kPlain, BfindU32),
    ONE(Bfind, S32, kPlain, BfindS32),
    ONE(Bfind, U64, kPlain, BfindU64),
    ONE(Bfind, S64, kPlain, BfindS64),
    ONE(Bfind, U32, Mod::Shiftamt, BfindShiftU32),
    ONE(Bfind, S32, Mod::Shiftamt, BfindShiftS32),
    ONE(Bfind, U64, Mod::Shiftamt, BfindShiftU64),
    ONE(Bfind, S64, Mod::Shiftamt, BfindShiftS64),
    ONE(Bfe, U32, kPlain, BfeU32),
    ONE(Bfe, S32, kPlain, BfeS32),
    ONE(Bfe, U64, kPlain, BfeU64),
    ONE(Bfe, S64, kPlain, BfeS64),
    ONE(Bmsk, B32, Mod::Wrap, BmskWrap),
    ONE(Bmsk, B32, Mod::Clamp, BmskClamp),
    ONE(Cnot, B16, kPlain, Cnot16),
    ONE(Cnot, B32, kPlain, Cnot32),
    ONE(Cnot, B64, kPlain, Cnot64),
    ONE(Shl, B16, kPlain, Shl16),
    ONE(Shl, B32, kPlain, Shl32),
    ONE(Shl, B64, kPlain, Shl64),
    ONE(Shr, B16, kPlain, ShrU16),
    ONE(Shr, U16, kPlain, ShrU16),
    ONE(Shr, S16, kPlain, ShrS16),
    ONE(Shr, B32, kPlain, ShrU32),
    ONE(Shr, U32, kPlain, ShrU32),
    ONE(Shr, S32, kPlain, ShrS32),
    ONE(Shr, B64, kPlain, ShrU64),
    ONE(Shr, U64, kPlain, ShrU64),
    ONE(Shr, S64, kPlain, ShrS64),
    ONE(And, B16, kPlain, And32),
    ONE(And, B32, kPlain, And32),
    ONE(And, B64, kPlain, And64),
    ONE(Or, B16, kPlain, Or32),
    ONE(Or, B32, kPlain, Or32),
    ONE(Or, B64, kPlain, Or64),
    ONE(Xor, B16, kPlain, Xor32),
    ONE(Xor, B32, kPlain, Xor32),
    ONE(Xor, B64, kPlain, Xor64),
    ONE(Not, B16, kPlain, Not16),
    ONE(Not, B32, kPlain, Not32),
    ONE(Not, B64, kPlain, Not64),
};
#undef BOTH
#undef ONE

/// The modifier that selects the row.
Mod form_of(const ptx::Instruction& in) {
  for (const Mod m : {Mod::Lo, Mod::Hi, Mod::Wide, Mod::Wrap, Mod::Clamp, Mod::Shiftamt, Mod::PropagateNan,
                      Mod::F4e, Mod::B4e, Mod::Rc8, Mod::Ecl, Mod::Ecr, Mod::Rc16, Mod::Add}) {
    if (in.has(m)) return m;
  }
  if (in.has(Mod::Sat) && !ptx::is_float(in.type())) return Mod::Sat;
  return kPlain;
}

/// The operation that also flushes its operands and its result.
std::optional<Arith> with_flush(Arith op, const ptx::Instruction& in) {
  const bool directed = in.has(Mod::Rz) || in.has(Mod::Rm) || in.has(Mod::Rp);
  switch (op) {
    case Arith::AddF32: return Arith::AddFtzF32;
    case Arith::SubF32: return Arith::SubFtzF32;
    case Arith::MulF32: return directed ? Arith::MulFtzDirectedF32 : Arith::MulFtzF32;
    case Arith::FmaF32: return directed ? Arith::FmaFtzDirectedF32 : Arith::FmaFtzF32;
    case Arith::DivF32: return Arith::DivFtzF32;
    case Arith::RcpF32: return Arith::RcpFtzF32;
    default: return std::nullopt;
  }
}

bool is_half(Type t) { return t == F16 || t == BF16 || t == F16x2 || t == BF16x2; }

}  // namespace

std::optional<Arith> find_row(Op op, Type type, Mod form) {
  for (const Row& r : kRows) {
    if (r.op == op && r.type == type && r.form == form) return r.arith;
  }
  return std::nullopt;
}

// ---- arithmetic ------------------------------------------------------------------------------------------

/// Directed rounding of one instruction: the host's rounding mode is set before it and restored after it.
void Lowering::rounding(const ptx::Instruction& in, bool begin) {
  const int mode = in.has(Mod::Rz)   ? FE_TOWARDZERO
                   : in.has(Mod::Rm) ? FE_DOWNWARD
                   : in.has(Mod::Rp) ? FE_UPWARD
                                     : FE_TONEAREST;
  if (mode != FE_TONEAREST) emit(WarpOp::SetRounding).imm = begin ? mode : FE_TONEAREST;
}

void Lowering::arithmetic(const ptx::Instruction& in) {
  const Type type = in.type();
  if (is_half(type)) return half_arithmetic(in);
  if (in.has(Mod::Cc)) return carry(in);
  if (in.op == Op::Div && in.has(Mod::Approx)) return simple_arithmetic(Arith::DivApproxF32, in);
  if (in.op == Op::Dp4a) {
    const bool sa = ptx::is_signed(in.types[0]), sb = ptx::is_signed(in.types[1]);
    return simple_arithmetic(sa ? (sb ? Arith::Dp4aSS : Arith::Dp4aSU) : (sb ? Arith::Dp4aUS : Arith::Dp4aUU),
                             in);
  }
  if (in.op == Op::Dp2a) {
    const bool sa = ptx::is_signed(in.types[0]), sb = ptx::is_signed(in.types[1]);
    const int form = (in.has(Mod::Hi) ? 4 : 0) + (sa ? 2 : 0) + (sb ? 1 : 0);
    return simple_arithmetic(static_cast<Arith>(static_cast<int>(Arith::Dp2aLoUU) + form), in);
  }
  if (in.has(Mod::Sat) && (in.op == Op::Mad || in.op == Op::Mad24) && !ptx::is_float(type)) {
    if (type != S32 || !in.has(Mod::Hi)) throw Refusal{msg::saturation_of_high_products()};
    return simple_arithmetic(in.op == Op::Mad ? Arith::MadHiSatS32 : Arith::Mad24HiSatS32, in);
  }
  if (ptx::rule_of(in.op).category == "Video") {
    // The headers' uses of these instructions need one operation.
    const bool parts = std::ranges::any_of(in.operands, [](const auto& o) { return o.part_bytes != 0; });
    const bool plain = !parts && in.types.size() > 2 && in.types[1] == in.types[2] &&
                       (in.types[0] == in.types[1] || !in.has(Mod::Sat));
    const auto row = plain ? find_row(in.op, in.types[1], form_of(in)) : std::nullopt;
    return row ? simple_arithmetic(*row, in) : video(in);
  }
  if (in.op == Op::Shf) {
    const bool wrap = in.has(Mod::Wrap);
    return simple_arithmetic(in.has(Mod::L) ? (wrap ? Arith::ShfLWrap : Arith::ShfLClamp)
                                            : (wrap ? Arith::ShfRWrap : Arith::ShfRClamp),
                             in);
  }
  if (in.op == Op::Testp) {
    const std::uint32_t a = read(operand(in, 1), type);
    const Mod kTests[] = {Mod::Finite,     Mod::Infinite, Mod::Number,
                          Mod::Notanumber, Mod::Normal,   Mod::Subnormal};
    int test = 0;
    while (!in.has(kTests[test])) ++test;
    const auto base = static_cast<int>(type == F32 ? WarpOp::TestFinite32 : WarpOp::TestFinite64);
    Inst& i = emit(static_cast<WarpOp>(base + test));
    i.a = a;
    i.d = reg(operand(in, 0));
    return;
  }
  if (in.op == Op::Min || in.op == Op::Max) return extremum(in);
  if (type == F32x2) return float_pair(in);
  if (in.has(Mod::Relu) || in.has(Mod::Oob) || in.types.size() > 1) {
    throw Refusal{msg::form_not_yet_supported(), msg::simpler_operations_hint()};
  }
  const auto row = find_row(in.op, type, form_of(in));
  if (!row) throw Refusal{msg::instruction_not_yet_supported(), msg::other_operation_hint()};
  simple_arithmetic(*row, in);
}

/// min and max with PTX's extensions: a third operand, .xorsign.abs, .relu.
void Lowering::extremum(const ptx::Instruction& in) {
  const Type type = in.type();
  const auto row = find_row(in.op, type, in.has(Mod::PropagateNan) ? Mod::PropagateNan : kPlain);
  if (!row) throw Refusal{msg::form_unsupported(), msg::simpler_operations_hint()};
  if (in.operands.size() == 3 && in.mods.size() == (in.has(Mod::PropagateNan) ? 1u : 0u))
    return simple_arithmetic(*row, in);
  const bool flush = in.has(Mod::Ftz) && type == F32, absolute = in.has(Mod::Abs);
  const bool wide = wide_type(type);
  std::vector<std::uint32_t> raw, sources;
  for (std::size_t k = 1; k < in.operands.size(); ++k) {
    std::uint32_t s = read(operand(in, k), type);
    raw.push_back(s);
    if (flush || absolute) {
      const std::uint32_t fresh = new_slot(wide);
      emit(flush ? Arith::FlushF32 : Arith::Mov32, fresh, s);
      if (absolute) emit(Arith::AbsF32, fresh, fresh);
      s = fresh;
    }
    sources.push_back(s);
  }
  const Target t = write(operand(in, 0), type);
  const std::uint32_t result = new_slot(wide);
  emit(*row, result, sources[0], sources[1]);
  if (sources.size() > 2) emit(*row, result, result, sources[2]);
  if (in.has(Mod::Xorsign)) {
    const std::uint32_t sign = new_slot(false);
    emit(Arith::Xor32, sign, raw[0], raw[1]);
    emit(Arith::And32, sign, sign, value32(0x80000000u));
    emit(Arith::Or32, result, result, sign);
  }
  if (in.has(Mod::Relu)) {
    if (type == S32)
      emit(Arith::MaxS32, result, result, value32(0));
    else if (type == S16x2)
      emit(Arith::MaxS16x2, result, result, value32(0));
    else
      throw Refusal{msg::form_unsupported(), msg::simpler_operations_hint()};
  }
  emit(wide ? Arith::Mov64 : Arith::Mov32, t.slot, result);
  finish_write(t);
}

/// Two floats in a 64-bit register.
void Lowering::float_pair(const ptx::Instruction& in) {
  auto row = find_row(in.op, F32, kPlain);
  if (row && in.has(Mod::Ftz)) row = with_flush(*row, in);
  if (!row || in.has(Mod::Sat)) throw Refusal{msg::form_unsupported(), msg::simpler_operations_hint()};
  std::uint32_t parts[3][2];
  for (std::size_t k = 1; k < in.operands.size(); ++k) {
    const std::uint32_t whole = read(operand(in, k), B64);
    for (std::uint32_t& p : parts[k - 1]) p = new_slot(false);
    const std::uint32_t list = extras({parts[k - 1][0], parts[k - 1][1]});
    Inst& i = emit(WarpOp::Unpack32x2);
    i.a = whole;
    i.extra = list;
  }
  const bool three = in.operands.size() > 3;
  rounding(in, true);
  for (int p = 0; p < 2; ++p) emit(*row, parts[0][p], parts[0][p], parts[1][p], three ? parts[2][p] : kNone);
  rounding(in, false);
  const std::uint32_t list = extras({parts[0][0], parts[0][1]});
  const Target t = write(operand(in, 0), B64);
  Inst& i = emit(WarpOp::Pack32x2);
  i.d = t.slot;
  i.extra = list;
  finish_write(t);
}

void Lowering::simple_arithmetic(Arith op, const ptx::Instruction& in) {
  const Type type = in.type();
  bool flush = in.has(Mod::Ftz) && type == F32;
  if (const auto fused = flush ? with_flush(op, in) : std::nullopt) {
    flush = false;  // included in the operation
    op = *fused;
  }
  std::uint32_t source[3] = {kNone, kNone, kNone};
  for (std::size_t k = 1; k < in.operands.size() && k <= 3; ++k) {
    source[k - 1] = read(operand(in, k), ptx::type_of_operand(in, k));
    if (!flush) continue;
    source[k - 1] = flushed(source[k - 1], F32);
  }
  const Target t = write(operand(in, 0), ptx::type_of_operand(in, 0));
  rounding(in, true);
  emit(op, t.slot, source[0], source[1], source[2]);
  rounding(in, false);
  if (flush) emit(Arith::FlushF32, t.slot, t.slot);
  if (in.has(Mod::Sat) && ptx::is_float(type))
    emit(type == F64 ? Arith::SaturateF64 : Arith::SaturateF32, t.slot, t.slot);
  finish_write(t);
}

void Lowering::carry(const ptx::Instruction& in) {
  if (carry_flag_ == kNone) carry_flag_ = new_slot(false);
  const Type type = in.type();
  const bool wide = wide_type(type);
  std::uint32_t a = read(operand(in, 1), type), b = read(operand(in, 2), type);
  if (in.op == Op::Mad || in.op == Op::Madc) {  // the product, then an addition with carry
    const std::uint32_t product = new_slot(wide);
    const auto mul = find_row(Op::Mul, type, in.has(Mod::Hi) ? Mod::Hi : Mod::Lo);
    emit(*mul, product, a, b);
    a = product;
    b = read(operand(in, 3), type);
  }
  const bool subtract = in.op == Op::Sub || in.op == Op::Subc;
  const bool uses = in.op == Op::Addc || in.op == Op::Subc || in.op == Op::Madc;
  const WarpOp op = subtract ? (uses ? (wide ? WarpOp::SubBorrow64 : WarpOp::SubBorrow32)
                                     : (wide ? WarpOp::SubBorrowOut64 : WarpOp::SubBorrowOut32))
                             : (uses ? (wide ? WarpOp::AddCarry64 : WarpOp::AddCarry32)
                                     : (wide ? WarpOp::AddCarryOut64 : WarpOp::AddCarryOut32));
  const std::uint32_t d =
      operand(in, 0).kind == ptx::OperandKind::Register ? reg(operand(in, 0)) : new_slot(wide);
  Inst& i = emit(op);
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = carry_flag_;
  i.imm = in.has(Mod::Cc) ? 1 : 0;
}

void Lowering::bits(const ptx::Instruction& in) {
  const Type type = in.type();
  if (type == Pred) {
    const ptx::Operand& d = operand(in, 0);
    if (in.op == Op::Not) {
      const std::uint32_t a = read_predicate(operand(in, 1));
      Inst& i = emit(WarpOp::PredMov);
      i.d = reg(d);
      i.a = a;
      i.imm = 1;
      return;
    }
    const std::uint32_t a = read_predicate(operand(in, 1)), b = read_predicate(operand(in, 2));
    Inst& i = emit(in.op == Op::And ? WarpOp::PredAnd : in.op == Op::Or ? WarpOp::PredOr : WarpOp::PredXor);
    i.d = reg(d);
    i.a = a;
    i.b = b;
    return;
  }
  if (in.op == Op::Lop3) {
    const std::uint32_t a = read(operand(in, 1), B32), b = read(operand(in, 2), B32),
                        c = read(operand(in, 3), B32);
    const ptx::Operand& o = operand(in, 0);
    const std::uint32_t d = o.kind == ptx::OperandKind::Register ? reg(o) : new_slot(false);
    emit(Arith::Lop3, d, a, b, c).imm = static_cast<std::int64_t>(operand(in, 4).bits & 0xFF);
    if (in.operands.size() > 5 && !o.elements.empty()) {  // p = (d != 0) op q
      const std::uint32_t q = read_predicate(operand(in, 5)), t = new_predicate();
      emit(Arith::NeU32, t, d, value32(0));
      Inst& i = emit(in.has(Mod::Or) ? WarpOp::PredOr : WarpOp::PredAnd);
      i.d = reg(o.elements[0]);
      i.a = t;
      i.b = q;
    }
    return;
  }
  if (in.op == Op::Bfi) {
    const bool wide = wide_type(type);
    const std::uint32_t a = read(operand(in, 1), type), b = read(operand(in, 2), type);
    const std::uint32_t c = read(operand(in, 3), B32), e = read(operand(in, 4), B32);
    emit(wide ? Arith::Insert64 : Arith::Insert32, reg(operand(in, 0)), a, b, c).extra = e;
    return;
  }
  simple_arithmetic(*find_row(in.op, type, kPlain), in);
}

}  // namespace cudalabs::sim
