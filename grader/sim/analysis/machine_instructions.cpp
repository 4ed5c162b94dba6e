#include "grader/sim/analysis/machine_instructions.h"

#include <bit>

#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Type;

bool divides_by_power_of_two(const Instruction& in) {
  if (in.operands.size() < 3) return false;
  const ptx::Operand& divisor = in.operands[2];
  return divisor.kind == ptx::OperandKind::Immediate && std::has_single_bit(divisor.bits);
}

}  // namespace

bool is_wide_integer(const Instruction& in) {
  return !in.types.empty() && ptx::size_of(in.types.back()) == 8 && !ptx::is_float(in.types.back());
}

std::uint32_t machine_instructions(const Instruction& in) {
  const bool wide = ptx::size_of(in.type()) == 8;
  const bool is_float = ptx::is_float(in.type());
  const std::uint32_t plain = ptx::traits_of(in.op).machine_instructions;
  switch (in.op) {
    case Op::Div:
    case Op::Rem:
      if (is_float) return wide ? 30 : !in.has(Mod::Approx) ? 10 : in.has(Mod::Ftz) ? 2 : 7;
      if (divides_by_power_of_two(in)) return ptx::is_signed(in.type()) ? 4 : 1;
      return wide ? 70 : 20;
    case Op::Sqrt:
    case Op::Rcp:
      if (!in.has(Mod::Approx)) return wide ? 25 : 8;
      [[fallthrough]];
    // The special-function unit only takes normal numbers: without .ftz the operand is scaled, and the result
    // is scaled back.
    case Op::Rsqrt:
    case Op::Ex2:
    case Op::Lg2: return in.has(Mod::Ftz) || in.type() != Type::F32 ? 1 : 5;
    case Op::Mul:
    case Op::Mad: return !wide || is_float ? plain : in.has(Mod::Hi) ? 7 : 4;
    case Op::Min:
    case Op::Max: return wide && !is_float ? 4 : plain;
    case Op::Abs: return wide && !is_float ? 5 : plain;
    case Op::Ld: return in.space == ptx::Space::Param ? 0 : plain;  // an operand in constant memory
    default: return plain;
  }
}

std::uint32_t issue_slots(const Instruction& in) {
  const std::uint32_t length = machine_instructions(in);
  switch (in.op) {
    case Op::Mul:
    case Op::Mad: return is_wide_integer(in) ? 3 : length;
    case Op::Min:
    case Op::Max:
    case Op::Abs:
    case Op::Sin:  // without the scaling before it
    case Op::Cos: return 1;
    default: return length;
  }
}

bool is_routine(const Instruction& in) {
  switch (in.op) {
    case Op::Div: return !in.has(Mod::Approx);
    case Op::Sqrt:
    case Op::Rsqrt: return !in.has(Mod::Approx) || in.type() == Type::F64;
    // Without .ftz it needs a routine for numbers that are not normal.
    case Op::Rcp: return !in.has(Mod::Approx) || !in.has(Mod::Ftz);
    default: return false;
  }
}

}  // namespace cudalabs::sim
