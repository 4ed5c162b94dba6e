#include "grader/sim/analysis/units.h"

#include <algorithm>

#include "grader/sim/analysis/machine_instructions.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::OperandKind;
using ptx::Type;

bool is_half(Type type) {
  return type == Type::F16 || type == Type::F16x2 || type == Type::BF16 || type == Type::BF16x2;
}

bool is_plain_integer(Type type) { return !ptx::is_float(type) && type != Type::Pred; }

Unit unit_of_conversion(const Instruction& in) {
  const Type to = in.types.front(), from = in.types.back();
  if (is_plain_integer(to) && is_plain_integer(from)) return Unit::Logic;
  if (is_half(to) || is_half(from)) return Unit::Logic;
  // I2FP, since sm_80.
  if (to == Type::F32 && is_plain_integer(from) && ptx::size_of(from) == 4) return Unit::Logic;
  return Unit::Special;
}

}  // namespace

Unit unit_of(const Instruction& in) {
  const Type type = in.type();
  const ptx::Traits& traits = ptx::traits_of(in.op);
  if (ptx::access_of(in) != ptx::Access::None) return Unit::Memory;
  if (type == Type::F64 && traits.fp64) return Unit::Double;
  const auto of_type = [&](Unit integer) {
    return is_half(type) ? Unit::Half : ptx::is_float(type) ? Unit::Float : integer;
  };
  switch (traits.work) {
    case ptx::Work::Issue: return Unit::Issue;
    case ptx::Work::Sum: return of_type(Unit::Sum);
    case ptx::Work::Product: return of_type(Unit::Product);
    case ptx::Work::Special:
      if (in.op == Op::Cvt) return unit_of_conversion(in);
      // With an explicit rounding mode it is a routine of products and sums.
      return ptx::is_float(type) && !in.has(Mod::Approx) ? Unit::Float : Unit::Special;
    case ptx::Work::Crossbar: return Unit::Memory;
    case ptx::Work::Matrix: return Unit::Matrix;
    case ptx::Work::Logic: break;
  }
  return Unit::Logic;
}

bool is_folded(const Instruction& in) {
  switch (in.op) {
    case Op::Mov:
      return std::ranges::none_of(in.operands,
                                  [](const ptx::Operand& o) { return o.kind == OperandKind::Special; });
    case Op::Neg:
    case Op::Abs: return ptx::is_float(in.type());
    case Op::Cvt: {
      const Type to = in.types.front(), from = in.types.back();
      return is_plain_integer(to) && is_plain_integer(from) && ptx::size_of(to) >= 4 &&
             ptx::size_of(from) >= 4;
    }
    default: return issue_slots(in) == 0;
  }
}

}  // namespace cudalabs::sim
