// Comparison and selection: setp, set, selp, slct.

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/lower/lowering.h"

namespace cudalabs::sim {

using enum ptx::Type;
using ptx::Mod;
using ptx::Op;
using ptx::Type;

std::uint32_t Lowering::compare_slots(Mod relation, Type type, std::uint32_t a, std::uint32_t b) {
  using enum Arith;
  // Rows by relation; columns: u16 s16 u32 s32 u64 s64 f32 f64.
  struct Relation {
    Mod mod;
    Arith column[8];
  };
  static constexpr Relation kRelations[] = {
      {Mod::Eq, {EqU16, EqU16, EqU32, EqU32, EqU64, EqU64, EqF32, EqF64}},
      {Mod::Ne, {NeU16, NeU16, NeU32, NeU32, NeU64, NeU64, NeF32, NeF64}},
      {Mod::Lt, {LtU16, LtS16, LtU32, LtS32, LtU64, LtS64, LtF32, LtF64}},
      {Mod::Le, {LeU16, LeS16, LeU32, LeS32, LeU64, LeS64, LeF32, LeF64}},
      {Mod::Gt, {GtU16, GtS16, GtU32, GtS32, GtU64, GtS64, GtF32, GtF64}},
      {Mod::Ge, {GeU16, GeS16, GeU32, GeS32, GeU64, GeS64, GeF32, GeF64}},
      {Mod::Lo, {LtU16, LtU16, LtU32, LtU32, LtU64, LtU64, LtF32, LtF64}},
      {Mod::Ls, {LeU16, LeU16, LeU32, LeU32, LeU64, LeU64, LeF32, LeF64}},
      {Mod::Hi, {GtU16, GtU16, GtU32, GtU32, GtU64, GtU64, GtF32, GtF64}},
      {Mod::Hs, {GeU16, GeU16, GeU32, GeU32, GeU64, GeU64, GeF32, GeF64}},
      {Mod::Equ, {EqU16, EqU16, EqU32, EqU32, EqU64, EqU64, EquF32, EquF64}},
      {Mod::Neu, {NeU16, NeU16, NeU32, NeU32, NeU64, NeU64, NeuF32, NeuF64}},
      {Mod::Ltu, {LtU16, LtS16, LtU32, LtS32, LtU64, LtS64, LtuF32, LtuF64}},
      {Mod::Leu, {LeU16, LeS16, LeU32, LeS32, LeU64, LeS64, LeuF32, LeuF64}},
      {Mod::Gtu, {GtU16, GtS16, GtU32, GtS32, GtU64, GtS64, GtuF32, GtuF64}},
      {Mod::Geu, {GeU16, GeS16, GeU32, GeS32, GeU64, GeS64, GeuF32, GeuF64}},
      {Mod::Num, {EqU16, EqU16, EqU32, EqU32, EqU64, EqU64, NumF32, NumF64}},
      {Mod::Nan, {NeU16, NeU16, NeU32, NeU32, NeU64, NeU64, NanF32, NanF64}},
  };
  int column = 0;
  switch (type) {
    case S16: column = 1; break;
    case U32:
    case B32: column = 2; break;
    case S32: column = 3; break;
    case U64:
    case B64: column = 4; break;
    case S64: column = 5; break;
    case F32: column = 6; break;
    case F64: column = 7; break;
    case F16:
    case BF16:
      a = to_float(a, type);
      b = to_float(b, type);
      column = 6;
      break;
    default: break;
  }
  for (const Relation& r : kRelations) {
    if (r.mod != relation) continue;
    const std::uint32_t p = new_predicate();
    emit(r.column[column], p, a, b);
    return p;
  }
  throw Refusal{msg::comparison_unsupported()};
}

void Lowering::compare(const ptx::Instruction& in) {
  const bool is_set = in.op == Op::Set;
  const Type type = is_set ? in.types.at(1) : in.type();
  Mod relation = kPlain, combine = kPlain;
  for (const Mod m : in.mods) {
    if (m == Mod::And || m == Mod::Or || m == Mod::Xor)
      combine = m;
    else if (m != Mod::Ftz)
      relation = m;
  }
  if (type == F16x2 || type == BF16x2) return compare_pair(in, relation, combine);
  std::uint32_t a = read(operand(in, 1), type), b = read(operand(in, 2), type);
  if (in.has(Mod::Ftz) && (type == F32 || type == F16)) {
    for (std::uint32_t* s : {&a, &b}) *s = flushed(*s, type);
  }
  const std::uint32_t t = compare_slots(relation, type, a, b);
  const std::uint32_t c = in.operands.size() > 3 ? read_predicate(operand(in, 3)) : kNone;
  const ptx::Operand& d = operand(in, 0);
  const auto destination = [&](const ptx::Operand& o) {
    return o.kind == ptx::OperandKind::Register ? reg(o) : kNone;
  };
  const std::uint32_t p = is_set ? new_predicate() : destination(d);
  const std::uint32_t q = d.elements.empty() ? kNone : destination(d.elements[0]);
  // Without a boolean operation: p = t and true.
  std::uint32_t third = c;
  WarpOp op = combine == Mod::Or    ? WarpOp::PredCombineOr
              : combine == Mod::Xor ? WarpOp::PredCombineXor
                                    : WarpOp::PredCombineAnd;
  if (third == kNone) {
    if (q == kNone && !is_set) {  // the usual case: the comparison itself writes p
      program_.code.back().d = p == kNone ? t : p;
      return;
    }
    third = t;  // (t xor t) is false
    op = WarpOp::PredCombineXor;
    const std::uint32_t zero = new_predicate();
    Inst& z = emit(WarpOp::PredXor);
    z.d = zero;
    z.a = z.b = t;
    third = zero;
  }
  Inst& i = emit(op);
  i.a = t;
  i.c = third;
  i.d = p;
  i.extra = q;
  if (is_set) {
    const Target w = write(d, ptx::size_of(in.types[0]) == 2 ? B16 : U32);
    Inst& s = emit(WarpOp::PredToLane);
    s.a = p;
    s.d = w.slot;
    s.imm = in.types[0] == F32               ? 0x3F800000
            : in.types[0] == F16             ? 0x3C00
            : in.types[0] == BF16            ? 0x3F80
            : ptx::size_of(in.types[0]) == 2 ? 0xFFFF
                                             : 0xFFFFFFFF;
    finish_write(w);
  }
}

/// Pairs of halves: setp writes a predicate for the low and
/// one for the high half, set a pair of halves or masks.
void Lowering::compare_pair(const ptx::Instruction& in, Mod relation, Mod combine) {
  const Type type = in.op == Op::Set ? in.types.at(1) : in.type();
  const Type half = type == F16x2 ? F16 : BF16;
  std::uint32_t parts[2][2];
  for (std::size_t k = 0; k < 2; ++k) {
    const std::uint32_t whole = read(operand(in, k + 1), B32);
    for (std::uint32_t& p : parts[k]) p = new_slot(false);
    const std::uint32_t list = extras({parts[k][0], parts[k][1]});
    Inst& i = emit(WarpOp::Unpack16x2);
    i.a = whole;
    i.extra = list;
    for (std::uint32_t& p : parts[k]) {
      if (in.has(Mod::Ftz)) p = flushed(p, half);
    }
  }
  const std::uint32_t c = in.operands.size() > 3 ? read_predicate(operand(in, 3)) : kNone;
  std::uint32_t results[2];
  for (int p = 0; p < 2; ++p) {
    results[p] = compare_slots(relation, half, parts[0][p], parts[1][p]);
    if (c == kNone) continue;
    Inst& i = emit(combine == Mod::Or    ? WarpOp::PredOr
                   : combine == Mod::Xor ? WarpOp::PredXor
                                         : WarpOp::PredAnd);
    i.d = i.a = results[p];
    i.b = c;
  }
  const ptx::Operand& d = operand(in, 0);
  if (in.op == Op::Setp) {
    const auto put = [&](const ptx::Operand& o, std::uint32_t from) {
      if (o.kind != ptx::OperandKind::Register) return;
      Inst& i = emit(WarpOp::PredMov);
      i.d = reg(o);
      i.a = from;
    };
    put(d, results[0]);
    if (!d.elements.empty()) put(d.elements[0], results[1]);
    return;
  }
  const Type to = in.types[0];
  std::uint32_t lanes[2];
  for (int p = 0; p < 2; ++p) {
    lanes[p] = new_slot(false);
    Inst& i = emit(WarpOp::PredToLane);
    i.a = results[p];
    i.d = lanes[p];
    i.imm = to == F16x2 ? 0x3C00 : to == BF16x2 ? 0x3F80 : 0xFFFF;
  }
  const std::uint32_t list = extras({lanes[0], lanes[1]});
  Inst& i = emit(WarpOp::Pack16x2);
  i.d = reg(d);
  i.extra = list;
}

void Lowering::select(const ptx::Instruction& in) {
  const Type type = in.type();
  const bool wide = wide_type(type);
  const std::uint32_t a = read(operand(in, 1), type), b = read(operand(in, 2), type);
  if (in.op == Op::Slct) {
    const bool by_float = in.types.at(1) == F32;
    std::uint32_t c = read(operand(in, 3), in.types[1]);
    if (in.has(Mod::Ftz)) c = flushed(c, F32);
    Inst& i = emit(wide ? (by_float ? WarpOp::Slct64F : WarpOp::Slct64S)
                        : (by_float ? WarpOp::Slct32F : WarpOp::Slct32S));
    i.d = reg(operand(in, 0));
    i.a = a;
    i.b = b;
    i.c = c;
    return;
  }
  const std::uint32_t c = read_predicate(operand(in, 3));
  const Target t = write(operand(in, 0), type);
  emit(wide ? Arith::Select64 : Arith::Select32, t.slot, a, b, c);
  finish_write(t);
}

}  // namespace cudalabs::sim
