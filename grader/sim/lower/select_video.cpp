// Video instructions: parts of words are widened to 64 bits, where no result overflows, clamped or truncated,
// and combined with the third source. PTX ISA, "Video Instructions".

#include "grader/sim/lower/lowering.h"
#include "grader/sim/ptx/rules.h"

namespace cudalabs::sim {

using enum ptx::Type;
using ptx::Mod;
using ptx::Op;
using ptx::Type;

/// A part of the word in slot `whole`, of `bytes` bytes, in 64 bits.
std::uint32_t Lowering::video_part(std::uint32_t whole, Type type, int bytes, unsigned place) {
  std::uint32_t part = whole;
  if (bytes < 4) {
    part = new_slot(false);
    emit(Arith::ShrU32, part, whole, value32(place * 8 * static_cast<unsigned>(bytes)));
  }
  const bool s = ptx::is_signed(type);
  return integer_to_64(part, bytes == 1 ? (s ? S8 : U8) : bytes == 2 ? (s ? S16 : U16) : type);
}

std::uint32_t Lowering::clamped(std::uint32_t value, bool is_signed, int bits) {
  const std::uint64_t high = (std::uint64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  const std::uint32_t d = new_slot(true);
  emit(Arith::MaxS64, d, value, value64(is_signed ? ~high : 0));
  emit(Arith::MinS64, d, d, value64(high));
  return d;
}

std::uint32_t Lowering::video_operation(const ptx::Instruction& in, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t d = new_slot(true);
  switch (in.op) {
    case Op::Vadd:
    case Op::Vadd2:
    case Op::Vadd4: emit(Arith::AddU64, d, a, b); break;
    case Op::Vsub:
    case Op::Vsub2:
    case Op::Vsub4: emit(Arith::SubU64, d, a, b); break;
    case Op::Vmin:
    case Op::Vmin2:
    case Op::Vmin4: emit(Arith::MinS64, d, a, b); break;
    case Op::Vmax:
    case Op::Vmax2:
    case Op::Vmax4: emit(Arith::MaxS64, d, a, b); break;
    case Op::Vabsdiff:
    case Op::Vabsdiff2:
    case Op::Vabsdiff4:
      emit(Arith::SubU64, d, a, b);
      emit(Arith::AbsS64, d, d);
      break;
    case Op::Vavrg2:
    case Op::Vavrg4: {  // halves are rounded away from zero
      const std::uint32_t up = new_slot(true);
      emit(Arith::AddU64, d, a, b);
      emit(Arith::ShrU64, up, d, value32(63));
      emit(Arith::Xor64, up, up, value64(1));
      emit(Arith::AddU64, d, d, up);
      emit(Arith::ShrS64, d, d, value32(1));
      break;
    }
    case Op::Vshl:
    case Op::Vshr: {
      const std::uint32_t count = new_slot(false);
      emit(Arith::U64toU32, count, b);
      const bool wrap = in.has(Mod::Wrap);
      emit(wrap ? Arith::And32 : Arith::MinU32, count, count, value32(wrap ? 31 : 32));
      emit(in.op == Op::Vshl ? Arith::Shl64 : Arith::ShrS64, d, a, count);
      // The shifted value is an unsigned 64-bit number: it stays above all clamping limits.
      if (in.op == Op::Vshl && !ptx::is_signed(in.types.at(1)))
        emit(Arith::MinU64, d, d, value64(~0ull >> 1));
      break;
    }
    default: {  // vset
      Mod relation = Mod::Eq;
      for (const Mod m : {Mod::Ne, Mod::Lt, Mod::Le, Mod::Gt, Mod::Ge}) {
        if (in.has(m)) relation = m;
      }
      const std::uint32_t holds = compare_slots(relation, S64, a, b);
      emit(Arith::Select64, d, value64(1), value64(0), holds);
      break;
    }
  }
  return d;
}

/// vmad. The signedness of the result follows from the sources and their negations.
void Lowering::video_product(const ptx::Instruction& in) {
  const auto factor = [&](std::size_t k) {
    const ptx::Operand& o = operand(in, k);
    return video_part(read(o, in.types.at(k)), in.types[k], o.part_bytes == 0 ? 4 : o.part_bytes, o.parts);
  };
  std::uint32_t a = factor(1);
  const std::uint32_t b = factor(2);
  const bool negates = operand(in, 1).negated != operand(in, 2).negated, takes_off = operand(in, 3).negated;
  const bool is_signed = ptx::is_signed(in.types[1]) || ptx::is_signed(in.types[2]) || negates || takes_off;
  std::uint32_t c = integer_to_64(read(operand(in, 3), U32), is_signed ? S32 : U32);
  const auto with = [&](Arith op, std::uint32_t value, std::uint32_t other = kNone) {
    const std::uint32_t d = new_slot(true);
    emit(op, d, value, other);
    return d;
  };
  if (negates) a = with(Arith::NegS64, a);
  if (takes_off) c = with(Arith::NegS64, c);
  if (in.has(Mod::Po)) c = with(Arith::AddU64, c, value64(1));
  std::uint32_t sum = new_slot(true);
  emit(in.has(Mod::Shr7)    ? Arith::MadShr7S64
       : in.has(Mod::Shr15) ? Arith::MadShr15S64
                            : Arith::MadShr0S64,
       sum, a, b, c);
  if (in.has(Mod::Sat))
    sum = is_signed ? clamped(sum, true, 32) : with(Arith::MinU64, sum, value64(0xFFFFFFFFu));
  emit(Arith::U64toU32, reg(operand(in, 0)), sum);
}

void Lowering::video(const ptx::Instruction& in) {
  if (in.op == Op::Vmad) return video_product(in);
  const auto lanes = static_cast<unsigned>(ptx::video_lanes(in.op));
  const bool is_set = in.types.size() == 2;  // its result has no type: 0 or 1
  const bool is_signed = !is_set && ptx::is_signed(in.type());
  const Type type_a = in.types[is_set ? 0 : 1], type_b = in.types[is_set ? 1 : 2];
  const ptx::Operand &d = operand(in, 0), &from_a = operand(in, 1), &from_b = operand(in, 2);
  const std::uint32_t a = read(from_a, type_a), b = read(from_b, type_b);
  const std::uint32_t c = in.operands.size() > 3 ? read(operand(in, 3), U32) : kNone;
  // For a scalar instruction the destination determines how much of it is written, for a SIMD one which
  // elements.
  const int own_bytes = static_cast<int>(4 / lanes);
  const int bytes = lanes > 1 || d.part_bytes == 0 ? own_bytes : d.part_bytes;
  const auto bits = static_cast<unsigned>(8 * bytes);
  const auto source = [&](const ptx::Operand& o, Type type, unsigned lane, bool second) {
    if (lanes == 1) return video_part(second ? b : a, type, o.part_bytes == 0 ? 4 : o.part_bytes, o.parts);
    const unsigned part = o.part_bytes != 0 ? o.parts >> (4 * lane) & 15u : lane + (second ? lanes : 0);
    return video_part(part < lanes ? a : b, type, own_bytes, part % lanes);
  };
  const auto is_written = [&](unsigned lane) {
    bool named = lanes == 1 || d.part_bytes == 0;
    for (unsigned k = 0; k < d.part_count; ++k) named = named || (d.parts >> (4 * k) & 15u) == lane;
    return named;
  };
  std::uint32_t result = c;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (!is_written(lane)) continue;
    const std::uint32_t first = source(from_a, type_a, lane, false),
                        second = source(from_b, type_b, lane, true);
    std::uint32_t value = video_operation(in, first, second);
    if (in.has(Mod::Sat)) value = clamped(value, is_signed, static_cast<int>(bits));
    const std::uint32_t word = new_slot(false), joined = new_slot(false);
    emit(Arith::U64toU32, word, value);
    if (in.has(Mod::Add)) {
      emit(Arith::AddU32, joined, word, result);
    } else if (in.has(Mod::Min)) {
      emit(is_signed ? Arith::MinS32 : Arith::MinU32, joined, word, result);
    } else if (in.has(Mod::Max)) {
      emit(is_signed ? Arith::MaxS32 : Arith::MaxU32, joined, word, result);
    } else if (bits < 32) {
      const unsigned place = lanes > 1 ? lane : d.parts;
      emit(Arith::Insert32, joined, word, result, value32(place * bits)).extra = value32(bits);
    } else {
      emit(Arith::Mov32, joined, word);
    }
    result = joined;
  }
  emit(Arith::Mov32, reg(d), result);
}

}  // namespace cudalabs::sim
