// Arithmetic of f16 and bf16 and their pairs.

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/lower/lowering.h"

namespace cudalabs::sim {

using enum ptx::Type;
using ptx::Mod;
using ptx::Op;
using ptx::Type;

std::uint32_t Lowering::to_float(std::uint32_t half, Type type) {
  const std::uint32_t f = new_slot(false);
  emit(type == F16 || type == F16x2 ? Arith::F16toF32 : Arith::BF16toF32, f, half);
  return f;
}

/// The value, flushed to zero if it is subnormal in its type.
std::uint32_t Lowering::flushed(std::uint32_t value, Type type) {
  const std::uint32_t slot = new_slot(false);
  emit(type == F16 ? Arith::FlushF16 : type == BF16 ? Arith::FlushBF16 : Arith::FlushF32, slot, value);
  return slot;
}

/// f16 and bf16 are computed in float (one operation on two halves is exact, or double rounding is harmless:
/// 24 >= 2 * 11 + 2), and fma in double; pairs are unpacked and packed again.
void Lowering::half_arithmetic(const ptx::Instruction& in) {
  const Type type = in.type();
  const bool pair = type == F16x2 || type == BF16x2, f16 = type == F16 || type == F16x2;
  if (in.types.size() > 1 || in.has(Mod::Oob)) {
    throw Refusal{msg::form_unsupported(), msg::simpler_operations_hint()};
  }
  const bool extreme = in.op == Op::Min || in.op == Op::Max;
  const bool flush = in.has(Mod::Ftz);
  std::vector<std::vector<std::uint32_t>> sources;
  for (std::size_t k = 1; k < in.operands.size(); ++k) {
    const std::uint32_t whole = read(operand(in, k), pair ? B32 : B16);
    std::vector<std::uint32_t> parts{whole};
    if (pair) {
      parts = {new_slot(false), new_slot(false)};
      const std::uint32_t list = extras(parts);
      Inst& i = emit(WarpOp::Unpack16x2);
      i.a = whole;
      i.extra = list;
    }
    for (std::uint32_t& p : parts) {
      if (flush) p = flushed(p, f16 ? F16 : BF16);
    }
    sources.push_back(parts);
  }
  const Target t = write(operand(in, 0), pair ? B32 : B16);
  std::vector<std::uint32_t> results;
  for (std::size_t p = 0; p < (pair ? 2u : 1u); ++p) {
    const std::uint32_t r = pair ? new_slot(false) : t.slot;
    results.push_back(r);
    const std::uint32_t a = sources[0][p];
    const std::uint32_t b = sources.size() > 1 ? sources[1][p] : kNone;
    if (in.op == Op::Neg || in.op == Op::Abs) {
      const bool negated = in.op == Op::Neg;
      emit(f16 ? (negated ? Arith::NegF16 : Arith::AbsF16) : negated ? Arith::NegBF16 : Arith::AbsBF16, r, a);
    } else if (in.op == Op::Fma) {
      emit(!f16 ? Arith::FmaBF16 : flush ? Arith::FmaFtzF16 : Arith::FmaF16, r, a, b, sources[2][p]);
    } else {
      const auto row = find_row(in.op, F32, in.has(Mod::PropagateNan) ? Mod::PropagateNan : kPlain);
      if (!row) throw Refusal{msg::half_instruction_unsupported(), msg::compute_in_float_hint()};
      const std::uint32_t f = new_slot(false);
      const std::uint32_t fa = to_float(a, type), fb = b == kNone ? kNone : to_float(b, type);
      const std::uint32_t fc = sources.size() > 2 ? to_float(sources[2][p], type) : kNone;
      if (in.has(Mod::Abs)) {
        for (const std::uint32_t s : {fa, fb, fc}) {
          if (s != kNone) emit(Arith::AbsF32, s, s);
        }
      }
      emit(*row, f, fa, fb, extreme ? kNone : fc);
      if (extreme && fc != kNone) emit(*row, f, f, fc);
      if (in.has(Mod::Xorsign)) {
        const std::uint32_t sign = new_slot(false);
        emit(Arith::Xor32, sign, a, b);
        emit(Arith::And32, sign, sign, value32(0x8000));
        emit(Arith::Shl32, sign, sign, value32(16));
        emit(Arith::Or32, f, f, sign);
      }
      if (flush && !f16) emit(Arith::FlushF32, f, f);
      emit(!f16 ? Arith::F32toBF16 : flush ? Arith::F32toF16Ftz : Arith::F32toF16, r, f);
    }
    if (in.has(Mod::Sat)) {
      const std::uint32_t f = to_float(r, type);
      emit(Arith::SaturateF32, f, f);
      emit(f16 ? Arith::F32toF16 : Arith::F32toBF16, r, f);
    }
    if (in.has(Mod::Relu)) {
      const std::uint32_t f = to_float(r, type);
      emit(Arith::MaxNanF32, f, f, value32(0));
      emit(f16 ? Arith::F32toF16 : Arith::F32toBF16, r, f);
    }
  }
  if (pair) {
    const std::uint32_t list = extras(results);
    Inst& i = emit(WarpOp::Pack16x2);
    i.d = t.slot;
    i.extra = list;
  }
  finish_write(t);
}

}  // namespace cudalabs::sim
