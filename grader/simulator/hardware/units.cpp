#include "grader/simulator/hardware/units.h"

#include <algorithm>

#include "grader/simulator/hardware/machine_instructions.h"
#include "grader/simulator/ptx/traits.h"

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
  return Unit::Special;
}

}  // namespace

Unit unit_of(const Instruction& in) {
  const Type type = in.type();
  const ptx::Access access = ptx::access_of(in);
  if (in.op == Op::Wmma || in.op == Op::Mma) return access == ptx::Access::None ? Unit::Matrix : Unit::Memory;
  if (access != ptx::Access::None) return Unit::Memory;
  if (type == Type::F64 && ptx::traits_of(in.op).fp64) return Unit::Double;
  switch (in.op) {
    case Op::Add:
    case Op::Sub:
    case Op::Addc:
    case Op::Subc:
    case Op::Mul:
    case Op::Mad:
    case Op::Fma:
    case Op::Madc:
    case Op::Mul24:
    case Op::Mad24:
    case Op::Dp4a:
    case Op::Dp2a: {
      if (is_half(type)) return Unit::Half;
      if (ptx::is_float(type)) return Unit::Float;
      const bool sum = in.op == Op::Add || in.op == Op::Sub || in.op == Op::Addc || in.op == Op::Subc;
      return sum ? Unit::Sum : Unit::Product;
    }
    case Op::Div:
    case Op::Rem: return ptx::is_float(type) ? Unit::Float : Unit::Product;
    case Op::Sqrt:
    case Op::Rcp: return in.has(Mod::Approx) ? Unit::Special : Unit::Float;
    case Op::Rsqrt:
    case Op::Sin:
    case Op::Cos:
    case Op::Lg2:
    case Op::Ex2:
    case Op::Tanh:
    case Op::Popc:
    case Op::Brev:
    case Op::Clz:
    case Op::Bfind: return Unit::Special;
    case Op::Cvt: return unit_of_conversion(in);
    case Op::Shfl:
    case Op::Movmatrix:
    case Op::Redux: return Unit::Memory;
    case Op::Bra:
    case Op::Ret:
    case Op::Exit:
    case Op::Mov:
    case Op::Cvta: return Unit::Issue;
    default: return Unit::Logic;
  }
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
