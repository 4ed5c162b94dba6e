// Conversions: cvt in all its forms.

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/lower/lowering.h"

namespace cudalabs::sim {

using enum ptx::Type;
using ptx::Mod;
using ptx::Type;

std::uint32_t Lowering::integer_to_64(std::uint32_t slot, Type type) {
  if (wide_type(type)) return slot;
  const bool s = ptx::is_signed(type);
  const std::uint32_t wide = new_slot(true);
  const int size = ptx::size_of(type);
  emit(size == 4   ? (s ? Arith::S32toS64 : Arith::U32toU64)
       : size == 2 ? (s ? Arith::S16toS64 : Arith::U16toU64)
                   : (s ? Arith::S8toS64 : Arith::U8toU64),
       wide, slot);
  return wide;
}

void Lowering::int_to_int(const ptx::Instruction& in, Type to, Type from) {
  const std::uint32_t a = read(operand(in, 1), from);
  const Target t = write(operand(in, 0), to);
  const int size = ptx::size_of(to);
  std::uint32_t value = integer_to_64(a, from);
  if (in.has(Mod::Sat)) {
    const bool s = ptx::is_signed(to), from_signed = ptx::is_signed(from);
    const int bits_to = size * 8;
    const std::uint64_t high = s               ? (std::uint64_t{1} << (bits_to - 1)) - 1
                               : bits_to == 64 ? ~std::uint64_t{0}
                                               : (std::uint64_t{1} << bits_to) - 1;
    const std::uint64_t low = s ? ~high : 0;  // as a signed number: -high - 1
    const std::uint32_t clamped = new_slot(true);
    if (from_signed) {
      emit(Arith::MaxS64, clamped, value, value64(low));
      if (s || bits_to < 64) emit(Arith::MinS64, clamped, clamped, value64(high));
    } else {
      emit(Arith::MinU64, clamped, value, value64(high));
    }
    value = clamped;
  }
  emit(size == 8   ? Arith::Mov64
       : size == 4 ? Arith::U64toU32
       : size == 2 ? Arith::U64toU16
                   : Arith::U64toU8,
       t.slot, value);
  finish_write(t);
}

/// Converts to f16 or bf16 with the instruction's rounding.
void Lowering::to_narrow(const ptx::Instruction& in, Type to, std::uint32_t d, std::uint32_t value,
                         bool from_double) {
  const int direction = in.has(Mod::Rz) ? 0 : in.has(Mod::Rm) ? 1 : in.has(Mod::Rp) ? 2 : -1;
  if (direction < 0 && !from_double) {
    emit(to == F16 ? Arith::F32toF16 : Arith::F32toBF16, d, value);
    return;
  }
  std::uint32_t wide = value;
  if (!from_double) {
    wide = new_slot(true);
    emit(Arith::F32toF64, wide, value);
  }
  static constexpr Arith kDirected[2][3] = {{Arith::F64toF16Rz, Arith::F64toF16Rm, Arith::F64toF16Rp},
                                            {Arith::F64toBF16Rz, Arith::F64toBF16Rm, Arith::F64toBF16Rp}};
  emit(direction < 0 ? (to == F16 ? Arith::F64toF16 : Arith::F64toBF16)
                     : kDirected[to == F16 ? 0 : 1][direction],
       d, wide);
}

/// cvt.pack.sat: packs two clamped integers; 8-bit ones go below the bits of the fourth operand.
void Lowering::pack_saturated(const ptx::Instruction& in) {
  const Type to = in.types[0];
  const int bits = ptx::size_of(to) * 8;
  if (bits != 8 && bits != 16) throw Refusal{msg::conversion_unsupported(), msg::clamp_and_shift_hint()};
  const bool s = ptx::is_signed(to);
  const std::uint32_t high = s ? (1u << (bits - 1)) - 1 : (1u << bits) - 1, low = s ? ~high : 0;
  std::uint32_t parts[2];
  for (std::size_t k = 0; k < 2; ++k) {
    parts[k] = new_slot(false);
    emit(Arith::MaxS32, parts[k], read(operand(in, k + 1), S32), value32(low));
    emit(Arith::MinS32, parts[k], parts[k], value32(high));
    emit(Arith::And32, parts[k], parts[k], value32((1u << bits) - 1));
  }
  emit(Arith::Shl32, parts[0], parts[0], value32(static_cast<std::uint32_t>(bits)));
  emit(Arith::Or32, parts[0], parts[0], parts[1]);
  if (in.operands.size() > 3) {
    const std::uint32_t rest = new_slot(false);
    emit(Arith::Shl32, rest, read(operand(in, 3), B32), value32(static_cast<std::uint32_t>(2 * bits)));
    emit(Arith::Or32, parts[0], parts[0], rest);
  }
  emit(Arith::Mov32, reg(operand(in, 0)), parts[0]);
}

/// Pairs of 8-bit floats, from two floats or a pair of halves, and to a pair of halves: the first source is
/// the upper one.
void Lowering::convert_float8(const ptx::Instruction& in) {
  const Type to = in.types[0], from = in.types[1];
  const bool narrows = from == F32 || from == F16x2;
  const auto unary = [&](Arith op, std::uint32_t a) {
    const std::uint32_t d = new_slot(false);
    emit(op, d, a);
    return d;
  };
  const auto relu = [&](std::uint32_t a) {
    if (!in.has(Mod::Relu)) return a;
    const std::uint32_t d = new_slot(false);
    emit(Arith::MaxNanF32, d, a, value32(0));
    return d;
  };
  std::uint32_t high = kNone, low = kNone;
  if (from == F32) {
    high = read(operand(in, 1), F32);
    low = read(operand(in, 2), F32);
  } else {  // the halves of a pair, of 16 or of 8 bits each
    const std::uint32_t bits = narrows ? 16 : 8, pair = read(operand(in, 1), narrows ? B32 : B16);
    high = new_slot(false);
    low = new_slot(false);
    emit(Arith::ShrU32, high, pair, value32(bits));
    emit(Arith::And32, high, high, value32((1u << bits) - 1));
    emit(Arith::And32, low, pair, value32((1u << bits) - 1));
  }
  for (std::uint32_t* part : {&high, &low}) {
    if (narrows) {
      if (from == F16x2) *part = unary(Arith::F16toF32, *part);
      *part = unary(to == E4M3x2 ? Arith::F32toE4M3 : Arith::F32toE5M2, relu(*part));
    } else {
      *part = unary(from == E4M3x2 ? Arith::E4M3toF16 : Arith::E5M2toF16, *part);
      if (in.has(Mod::Relu)) *part = unary(Arith::F32toF16, relu(unary(Arith::F16toF32, *part)));
    }
  }
  const Target t = write(operand(in, 0), narrows ? B16 : B32);
  emit(Arith::Shl32, high, high, value32(narrows ? 8 : 16));
  emit(Arith::Or32, t.slot, high, low);
  finish_write(t);
}

/// f32 values to a pair of halves.
void Lowering::to_half_pair(const ptx::Instruction& in, Type to) {
  const std::uint32_t high = read(operand(in, 1), F32), low = read(operand(in, 2), F32);
  const std::uint32_t h = new_slot(false), l = new_slot(false);
  const auto part = [&](std::uint32_t d, std::uint32_t s) {
    std::uint32_t v = s;
    if (in.has(Mod::Relu)) {
      v = new_slot(false);
      emit(Arith::MaxNanF32, v, s, value32(0));
    }
    to_narrow(in, to == F16x2 ? F16 : BF16, d, v, false);
  };
  part(l, low);
  part(h, high);
  const std::uint32_t list = extras({l, h});
  Inst& i = emit(WarpOp::Pack16x2);
  i.d = reg(operand(in, 0));
  i.extra = list;
}

/// The value rounded to an integer, if the instruction rounds so.
std::uint32_t Lowering::rounded(const ptx::Instruction& in, std::uint32_t value, Type type) {
  const bool f64 = type == F64;
  std::optional<Arith> op;
  if (in.has(Mod::Rni)) op = f64 ? Arith::RoundEvenF64 : Arith::RoundEvenF32;
  if (in.has(Mod::Rzi)) op = f64 ? Arith::RoundZeroF64 : Arith::RoundZeroF32;
  if (in.has(Mod::Rmi)) op = f64 ? Arith::RoundDownF64 : Arith::RoundDownF32;
  if (in.has(Mod::Rpi)) op = f64 ? Arith::RoundUpF64 : Arith::RoundUpF32;
  if (!op) return value;
  const std::uint32_t r = new_slot(f64);
  emit(*op, r, value);
  return r;
}

void Lowering::float_to_int(const ptx::Instruction& in, Type to, std::uint32_t value, Type have) {
  const std::uint32_t a = rounded(in, value, have);
  const int size = ptx::size_of(to);
  const bool s = ptx::is_signed(to), f64 = have == F64;
  const Target t = write(operand(in, 0), to);
  if (size == 8) {
    emit(f64 ? (s ? Arith::F64toS64Rz : Arith::F64toU64Rz) : (s ? Arith::F32toS64Rz : Arith::F32toU64Rz),
         t.slot, a);
  } else if (size == 4) {
    emit(f64 ? (s ? Arith::F64toS32Rz : Arith::F64toU32Rz) : (s ? Arith::F32toS32Rz : Arith::F32toU32Rz),
         t.slot, a);
  } else {  // narrower: through a signed 32-bit value, clamped to the range
    const std::uint32_t v = new_slot(false);
    emit(f64 ? Arith::F64toS32Rz : Arith::F32toS32Rz, v, a);
    const std::int32_t high = s ? (1 << (size * 8 - 1)) - 1 : (1 << (size * 8)) - 1, low = s ? -high - 1 : 0;
    emit(Arith::MaxS32, v, v, value32(static_cast<std::uint32_t>(low)));
    emit(Arith::MinS32, v, v, value32(static_cast<std::uint32_t>(high)));
    emit(size == 2 ? Arith::U32toU16 : Arith::U32toU8, t.slot, v);
  }
  finish_write(t);
}

void Lowering::int_to_float(const ptx::Instruction& in, Type to, Type from, std::uint32_t value) {
  std::uint32_t a = value;
  const Target t = write(operand(in, 0), to);
  if (ptx::size_of(from) < 4) {
    const std::uint32_t v = new_slot(false);
    const bool byte = ptx::size_of(from) == 1;
    emit(ptx::is_signed(from) ? (byte ? Arith::S8toS32 : Arith::S16toS32)
                              : (byte ? Arith::U8toU32 : Arith::U16toU32),
         v, a);
    a = v;
  }
  const bool s = ptx::is_signed(from), w = ptx::size_of(from) == 8;
  rounding(in, true);
  const std::uint32_t d = to == F64 || to == F32 ? t.slot : new_slot(true);
  if (to == F32)
    emit(w ? (s ? Arith::S64toF32 : Arith::U64toF32) : (s ? Arith::S32toF32 : Arith::U32toF32), d, a);
  else
    emit(w ? (s ? Arith::S64toF64 : Arith::U64toF64) : (s ? Arith::S32toF64 : Arith::U32toF64), d, a);
  rounding(in, false);
  if (in.has(Mod::Sat)) emit(to == F32 ? Arith::SaturateF32 : Arith::SaturateF64, d, d);
  if (to == F16 || to == BF16) to_narrow(in, to, t.slot, d, true);
  finish_write(t);
}

void Lowering::float_to_float(const ptx::Instruction& in, Type to, std::uint32_t value, Type have) {
  const Target t = write(operand(in, 0), to);
  std::uint32_t a = rounded(in, value, have);
  if (in.has(Mod::Sat)) {
    const std::uint32_t v = new_slot(have == F64);
    emit(have == F64 ? Arith::SaturateF64 : Arith::SaturateF32, v, a);
    a = v;
  }
  if (in.has(Mod::Relu)) {
    const std::uint32_t v = new_slot(false);
    emit(Arith::MaxNanF32, v, a, value32(0));
    a = v;
  }
  if (to == F16 || to == BF16) {
    to_narrow(in, to, t.slot, a, have == F64);
    return finish_write(t);
  }
  rounding(in, true);
  if (to == have)
    emit(to == F64 ? Arith::Mov64 : Arith::Mov32, t.slot, a);
  else if (to == F64)
    emit(Arith::F32toF64, t.slot, a);
  else
    emit(Arith::F64toF32, t.slot, a);
  rounding(in, false);
  if (in.has(Mod::Ftz) && to == F32 && have == F64) {
    emit(in.has(Mod::Rz)   ? Arith::FlushNarrowedRz
         : in.has(Mod::Rm) ? Arith::FlushNarrowedRm
         : in.has(Mod::Rp) ? Arith::FlushNarrowedRp
                           : Arith::FlushNarrowedRn,
         t.slot, t.slot, a);
  }
  finish_write(t);
}

void Lowering::convert(const ptx::Instruction& in) {
  if (in.has(Mod::Pack)) return pack_saturated(in);
  const auto is_float8 = [](Type type) { return type == E4M3x2 || type == E5M2x2; };
  if (is_float8(in.types[0]) || is_float8(in.types[1])) return convert_float8(in);
  if (in.types.size() != 2 || in.has(Mod::Rs) || in.has(Mod::Satfinite)) {
    throw Refusal{msg::conversion_unsupported(), msg::simpler_conversions_hint()};
  }
  const Type to = in.types[0], from = in.types[1];
  if ((to == F16x2 || to == BF16x2) && from == F32) return to_half_pair(in, to);
  const bool to_f = ptx::is_float(to), from_f = ptx::is_float(from);
  if (to == TF32 && from == F32) {
    if (!in.has(Mod::Rna)) throw Refusal{msg::tf32_conversion_unsupported(), msg::use_float_to_tf32_hint()};
    emit(Arith::F32toTF32, reg(operand(in, 0)), read(operand(in, 1), F32));
    return;
  }
  const auto plain = [](Type t) {
    return t == F32 || t == F64 || t == F16 || t == BF16 || !ptx::is_float(t);
  };
  if (!plain(to) || !plain(from)) throw Refusal{msg::conversion_not_yet_supported()};
  if (!to_f && !from_f) return int_to_int(in, to, from);

  std::uint32_t a = read(operand(in, 1), from);
  Type have = from;
  if (from == F16 || from == BF16) {
    a = to_float(a, from);
    have = F32;
  }
  // The hardware has no .ftz for conversions to f16: ptxas generates the same instruction for both, and
  // numbers too small for f32 still round up or down.
  if (in.has(Mod::Ftz) && have == F32 && to != F16) a = flushed(a, F32);
  if (!to_f) return float_to_int(in, to, a, have);
  if (!from_f) return int_to_float(in, to, from, a);
  float_to_float(in, to, a, have);
}

}  // namespace cudalabs::sim
