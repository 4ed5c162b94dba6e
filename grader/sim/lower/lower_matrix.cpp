// wmma, mma.sync, ldmatrix, stmatrix and movmatrix: the registers of their elements.

#include <algorithm>
#include <cstdio>
#include <string>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/lower/lowering.h"
#include "grader/sim/ops/warp/matrix_ops.h"

namespace cudalabs::sim {
namespace {

using ptx::Mod;
using ptx::Type;

struct MatrixShape {
  std::uint32_t m = 0, n = 0, k = 0;
  bool operator==(const MatrixShape&) const = default;
};

MatrixShape shape_of(const ptx::Instruction& in) {
  MatrixShape s;
  for (const Mod mod : in.mods) {
    if (std::sscanf(std::string(ptx::spelling(mod)).c_str(), "m%un%uk%u", &s.m, &s.n, &s.k) == 3) return s;
  }
  throw Refusal{msg::matrix_shape_unsupported(), msg::use_square_matrices_hint()};
}

MatrixElement element_of(Type type) {
  switch (type) {
    case Type::F16: return MatrixElement::F16;
    case Type::BF16: return MatrixElement::BF16;
    case Type::TF32: return MatrixElement::TF32;
    case Type::F32: return MatrixElement::F32;
    case Type::F64: return MatrixElement::F64;
    case Type::S8: return MatrixElement::S8;
    case Type::U8: return MatrixElement::U8;
    case Type::S32: return MatrixElement::S32;
    default: throw Refusal{msg::matrix_type_unsupported(), msg::matrix_types_hint()};
  }
}

bool is_sum(MatrixElement type) {
  return type == MatrixElement::F16 || type == MatrixElement::F32 || type == MatrixElement::F64 ||
         type == MatrixElement::S32;
}

/// True for valid shapes of wmma and mma by the type of A and B.
bool is_known(bool wmma, MatrixElement type, const MatrixShape& s) {
  const bool n8 = s.m == 16 && s.n == 8;
  const bool tile =
      s == MatrixShape{16, 16, 16} || s == MatrixShape{32, 8, 16} || s == MatrixShape{8, 32, 16};
  switch (type) {
    case MatrixElement::F16:
    case MatrixElement::BF16: return wmma ? tile : n8 && (s.k == 8 || s.k == 16);
    case MatrixElement::TF32: return wmma ? s == MatrixShape{16, 16, 8} : n8 && (s.k == 4 || s.k == 8);
    case MatrixElement::F64:
      return s == MatrixShape{8, 8, 4} || (!wmma && n8 && (s.k == 4 || s.k == 8 || s.k == 16));
    case MatrixElement::S8:
    case MatrixElement::U8:
      return wmma ? tile : (n8 && (s.k == 16 || s.k == 32)) || s == MatrixShape{8, 8, 16};
    default: return false;
  }
}

enum class Part { A, B, Sum };

/// The layout of one operand. Shapes of 8 rows and 32 columns are computed as their transposes, as in the
/// hardware.
Fragment fragment_of(Part part, MatrixElement type, const MatrixShape& s, bool transposed) {
  Fragment f;
  f.type = type;
  const std::uint32_t m = transposed ? s.n : s.m, n = transposed ? s.m : s.n;
  const bool left = (part == Part::A) != transposed;
  f.rows = part == Part::Sum || left ? m : n;
  f.columns = part == Part::Sum ? n : s.k;
  f.run = part == Part::Sum ? 2 : packed(type);
  f.stack = (part == Part::Sum || left) && m >= 16 ? 2 : 1;
  return f;
}

bool is_transposed(bool wmma, const MatrixShape& s) { return wmma && s.m == 8 && s.n == 32; }

}  // namespace

/// Slots of a fragment's registers, which the instruction reads or writes.
void Lowering::registers(Fragment& fragment, const ptx::Operand& operand, bool written) {
  const bool wide = fragment.type == MatrixElement::F64;
  const Type lane = wide ? Type::B64 : Type::B32;
  const auto slot_of = [&](const ptx::Operand& o) {
    if (o.kind == ptx::OperandKind::Register) {
      const Type held = function_.registers[o.reg].type;
      if (ptx::size_of(held) != (wide ? 8 : 4)) throw Refusal{msg::matrix_register_width()};
      return reg(o);
    }
    if (!written) return read(o, lane);
    if (o.kind == ptx::OperandKind::Sink) return new_slot(wide);
    throw Refusal{msg::matrix_outside_registers()};
  };
  if (operand.kind == ptx::OperandKind::Vector) {
    for (const ptx::Operand& o : operand.elements) fragment.slots.push_back(slot_of(o));
  } else {
    fragment.slots.push_back(slot_of(operand));
  }
}

void Lowering::emit_matrix(Handler handler, MatrixOp op, std::uint32_t base, std::uint32_t stride,
                           std::int64_t offset) {
  program_.matrices.push_back(std::move(op));
  const std::uint32_t everybody = value32(kAllLanes);
  Inst& i = emit(HandlerPair{handler, handler}, Flow::WarpSync);
  i.a = base;
  i.b = stride;
  i.imm = offset;
  i.extra = static_cast<std::uint32_t>(program_.matrices.size() - 1);
  i.target = everybody;
}

namespace {

/// The number of registers must match the layout; the halves of wmma are repeated, up to eight registers.
void check_registers(const Fragment& f, bool wmma_operand) {
  const std::uint32_t needed = f.cells() * f.registers_a_cell();
  const bool repeats = wmma_operand && f.type == MatrixElement::F16;
  if (f.slots.size() != (repeats ? 8 : needed)) {
    throw Refusal{msg::matrix_registers_wrong(repeats ? 8 : needed, f.slots.size())};
  }
}

MatrixOp::Space space_of(const ptx::Instruction& in) {
  return in.space == ptx::Space::Shared   ? MatrixOp::Space::Shared
         : in.space == ptx::Space::Global ? MatrixOp::Space::Global
                                          : MatrixOp::Space::Generic;
}

void check_address(const MatrixOp& op) {
  if (!op.wide_address && op.space != MatrixOp::Space::Shared)
    throw Refusal{msg::narrow_address(), msg::compile_for_64_bits_hint()};
}

}  // namespace

void Lowering::matrix_product(const ptx::Instruction& in) {
  const bool wmma = in.op == ptx::Op::Wmma;
  const MatrixShape shape = shape_of(in);
  // wmma of halves names only D and C
  const bool halves = wmma && in.types.size() == 2;
  const MatrixElement d = element_of(in.types.at(0)), c = element_of(in.types.back());
  const MatrixElement a = halves ? MatrixElement::F16 : element_of(in.types.at(1));
  const MatrixElement b = halves ? MatrixElement::F16 : element_of(in.types.at(2));
  const bool bytes = bytes_of(a) == 1 && bytes_of(b) == 1;
  if (!is_known(wmma, a, shape) || (a != b && !bytes)) {
    throw Refusal{msg::matrix_product_unsupported(), msg::matrix_product_hint()};
  }
  if (!is_sum(d) || !is_sum(c) || bytes != (d == MatrixElement::S32) ||
      (d == MatrixElement::F64) != (a == MatrixElement::F64) ||
      (c != d && !(a == MatrixElement::F16 && bytes_of(c) <= 4 && c != MatrixElement::S32)) ||
      (d == MatrixElement::F16 && a != MatrixElement::F16)) {
    throw Refusal{msg::matrix_types_mixed()};
  }
  const auto row = std::find(in.mods.begin(), in.mods.end(), Mod::Row);
  if (!wmma && std::find(row, in.mods.end(), Mod::Col) == in.mods.end()) {
    throw Refusal{msg::matrix_layout_wrong(), msg::matrix_layout_hint()};
  }
  const bool transposed = is_transposed(wmma, shape);
  MatrixOp op;
  op.saturate = in.has(Mod::Satfinite);
  op.a = fragment_of(Part::A, a, shape, transposed);
  op.b = fragment_of(Part::B, b, shape, transposed);
  op.c = fragment_of(Part::Sum, c, shape, transposed);
  op.d = fragment_of(Part::Sum, d, shape, transposed);
  registers(op.d, operand(in, 0), true);
  registers(op.a, operand(in, 1), false);
  registers(op.b, operand(in, 2), false);
  registers(op.c, operand(in, 3), false);
  check_registers(op.a, wmma);
  check_registers(op.b, wmma);
  check_registers(op.c, false);
  check_registers(op.d, false);
  if (transposed) std::swap(op.a, op.b);
  emit_matrix(matrix_product_handler(), std::move(op), kNone, kNone, 0);
}

void Lowering::matrix_move(const ptx::Instruction& in) {
  const bool store = in.has(Mod::Store);
  const MatrixShape shape = shape_of(in);
  const MatrixElement type = element_of(in.type());
  const Part part = in.has(Mod::A) ? Part::A : in.has(Mod::B) ? Part::B : Part::Sum;
  const bool fits =
      part == Part::Sum
          ? is_sum(type) && (type == MatrixElement::F64 ? is_known(true, type, shape)
                                                        : is_known(true, MatrixElement::F16, shape) ||
                                                              (type == MatrixElement::F32 &&
                                                               is_known(true, MatrixElement::TF32, shape)))
          : is_known(true, type, shape);
  if (!fits || (store && part != Part::Sum))
    throw Refusal{msg::matrix_unsupported(), msg::matrix_shapes_hint()};
  const bool transposed = is_transposed(true, shape);
  MatrixOp op;
  op.d = fragment_of(part, type, shape, transposed);
  registers(op.d, operand(in, store ? 1 : 0), !store);
  check_registers(op.d, part != Part::Sum);
  // The elements of a fragment row are contiguous for rows of A and of the sum and for columns of B; for a
  // transposed product, for the sum's columns.
  const bool natural =
      part == Part::B || (part == Part::Sum && transposed) ? in.has(Mod::Col) : in.has(Mod::Row);
  op.crossed = !natural;
  op.space = space_of(in);
  const std::uint32_t bytes = bytes_of(type);
  op.by_rows = !store && part != Part::Sum && op.space == MatrixOp::Space::Shared &&
               (bytes == 2 || (bytes == 1 && natural));
  const ptx::Operand& address = operand(in, store ? 0 : 1);
  const std::uint32_t base = base_address(address, in.space, op.wide_address);
  check_address(op);
  const std::uint32_t packed_stride = op.crossed ? op.d.rows : op.d.columns;
  const std::uint32_t stride =
      in.operands.size() > 2 ? read(operand(in, 2), Type::U32) : value32(packed_stride);
  emit_matrix(store ? matrix_store_handler() : matrix_load_handler(), std::move(op), base, stride,
              address.offset);
}

void Lowering::matrix_rows(const ptx::Instruction& in) {
  MatrixOp op;
  op.crossed = in.has(Mod::Trans);
  op.d.type = op.a.type = MatrixElement::F16;
  if (in.op == ptx::Op::Movmatrix) {
    registers(op.d, operand(in, 0), true);
    registers(op.a, operand(in, 1), false);
    return emit_matrix(transpose_handler(), std::move(op), kNone, kNone, 0);
  }
  const bool store = in.op == ptx::Op::Stmatrix;
  const std::size_t count = in.has(Mod::X4) ? 4 : in.has(Mod::X2) ? 2 : 1;
  registers(op.d, operand(in, store ? 1 : 0), !store);
  if (op.d.slots.size() != count) throw Refusal{msg::matrix_register_count()};
  op.space = space_of(in);
  const ptx::Operand& address = operand(in, store ? 0 : 1);
  const std::uint32_t base = base_address(address, in.space, op.wide_address);
  check_address(op);
  emit_matrix(store ? rows_store_handler() : rows_load_handler(), std::move(op), base, kNone, address.offset);
}

}  // namespace cudalabs::sim
