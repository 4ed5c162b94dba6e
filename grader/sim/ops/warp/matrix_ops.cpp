#include "grader/sim/ops/warp/matrix_ops.h"

#include <cmath>
#include <limits>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/memory/address.h"
#include "grader/sim/ops/memory/memory_access.h"
#include "grader/sim/ops/scalar.h"

namespace cudalabs::sim {
namespace {

using namespace scalar;  // NOLINT(google-build-using-namespace)

constexpr u32 kLargest = 32;  // maximum rows and columns of any operand

bool whole_warp(Exec& x, u32 mask) {
  if (mask == kAllLanes) return true;
  x.fail(FaultKind::Unsupported, static_cast<u32>(std::countr_zero(mask)),
         msg::matrix_by_part_of_warp(std::popcount(mask)), msg::matrix_whole_warp_advice());
  return false;
}

const MatrixOp& operation(const Exec& x, const Inst& inst) {
  return x.activation->program->matrices[inst.extra];
}

// ---- elements --------------------------------------------------------------------------------------------

f64 decode(MatrixElement type, u32 bits) {
  switch (type) {
    case MatrixElement::F16: return half_to_float(static_cast<u16>(bits));
    case MatrixElement::BF16: return bfloat_to_float(static_cast<u16>(bits));
    case MatrixElement::TF32:
      return std::bit_cast<f32>(bits & ~u32{0x1FFF});  // the hardware ignores the other bits
    case MatrixElement::F32: return std::bit_cast<f32>(bits);
    case MatrixElement::S8: return static_cast<s8>(bits);
    case MatrixElement::U8: return static_cast<u8>(bits);
    default: return static_cast<s32>(bits);
  }
}

u32 encode(MatrixElement type, f64 v, bool saturate) {
  switch (type) {
    case MatrixElement::F16: return double_to_half(v);
    case MatrixElement::F32: return v != v ? 0x7FFFFFFFu : std::bit_cast<u32>(static_cast<f32>(v));
    default: {
      constexpr f64 kLow = std::numeric_limits<s32>::min(), kHigh = std::numeric_limits<s32>::max();
      if (saturate) v = v < kLow ? kLow : v > kHigh ? kHigh : v;
      return static_cast<u32>(static_cast<s64>(v));
    }
  }
}

/// Calls `f(row, column, slot, part, lane)` for every element.
template <class F>
void each_element(const Fragment& m, F f) {
  const u32 share = packed(m.type);
  for (u32 cell = 0; cell < m.cells(); ++cell) {
    const auto [row, column] = m.place(cell);
    for (u32 j = 0; j < m.run; ++j) {
      const u32 slot_of = m.slots[(cell * m.run + j) / share], part = j % share;
      for (u32 l = 0; l < kLanes; ++l) f(row + l / 4, column + l % 4 * m.run + j, slot_of, part, l);
    }
  }
}

/// The fragment as numbers; element (r, c) goes to out[r * down + c * right].
void unpack(Exec& x, const Fragment& m, f64* out, u32 down, u32 right) {
  if (m.type == MatrixElement::F64) {
    each_element(
        m, [&](u32 r, u32 c, u32 where, u32, u32 l) { out[r * down + c * right] = slot<f64>(x, where)[l]; });
    return;
  }
  const u32 bits = 32 / packed(m.type);
  each_element(m, [&](u32 r, u32 c, u32 where, u32 part, u32 l) {
    out[r * down + c * right] = decode(m.type, slot<u32>(x, where)[l] >> (part * bits % 32));
  });
}

void pack(Exec& x, const Fragment& m, const f64* in, bool saturate) {
  if (m.type == MatrixElement::F64) {
    each_element(
        m, [&](u32 r, u32 c, u32 where, u32, u32 l) { slot<f64>(x, where)[l] = in[r * m.columns + c]; });
    return;
  }
  each_element(m, [&](u32 r, u32 c, u32 where, u32 part, u32 l) {
    u32& d = slot<u32>(x, where)[l];
    const u32 v = encode(m.type, in[r * m.columns + c], saturate);
    d = part == 0 ? v : d | v << 16;  // only halves share a register
  });
}

void product(Exec& x, const Inst& inst, u32 mask) {
  if (!whole_warp(x, mask)) return;
  const MatrixOp& op = operation(x, inst);
  const u32 rows = op.d.rows, columns = op.d.columns, depth = op.a.columns;
  alignas(64) f64 a[kLargest * kLargest], b[kLargest * kLargest], d[kLargest * kLargest];
  unpack(x, op.a, a, depth, 1);
  unpack(x, op.b, b, 1, columns);
  unpack(x, op.c, d, columns, 1);
  for (u32 r = 0; r < rows; ++r) {
    for (u32 k = 0; k < depth; ++k) {
      const f64 factor = a[r * depth + k];
      f64* const sum = d + r * columns;
      const f64* const other = b + k * columns;
      if (op.d.type == MatrixElement::F64) {
        for (u32 c = 0; c < columns; ++c) sum[c] = std::fma(factor, other[c], sum[c]);
      } else {
        for (u32 c = 0; c < columns; ++c) sum[c] += factor * other[c];
      }
    }
  }
  pack(x, op.d, d, op.saturate);
}

// ---- memory ----------------------------------------------------------------------------------------------

/// Checks and observes an access of `width` bytes by `lanes` at x.addresses, and calls `body(base, offsets)`
/// for the data: that of lane i is at base + offsets[i].
template <class Body>
bool touch(Exec& x, const Inst& inst, MatrixOp::Space space, AccessKind kind, u32 width, u32 lanes,
           AccessForm form, Body body) {
  switch (space) {
    case MatrixOp::Space::Shared:
      for (u32 l = 0; l < kLanes; ++l) x.offsets[l] = static_cast<u32>(x.addresses[l]);
      patch_inactive(x.offsets, lanes);
      if (!check_shared(x, inst, lanes, width, kind)) return false;
      observe(x, x.observers, kind, AccessSpace::Shared, width, lanes, form);
      body(x.shared, x.offsets, lanes);
      return true;
    case MatrixOp::Space::Global:
      if (!check_global(x, inst, lanes, width, kind)) return false;
      observe(x, x.observers, kind, AccessSpace::Global, width, lanes);
      body(x.global_host, x.addresses, lanes);
      return true;
    case MatrixOp::Space::Generic:
      generic_access(x, inst, lanes, width, kind, body);
      return x.fault.kind == FaultKind::None;
  }
  return false;
}

struct Base {
  alignas(64) u64 at[kLanes];
  u32 stride[kLanes];
};

void read_base(Exec& x, const Inst& inst, const MatrixOp& op, Base& base) {
  for (u32 l = 0; l < kLanes; ++l) {
    base.at[l] =
        (op.wide_address ? slot<u64>(x, inst.a)[l] : slot<u32>(x, inst.a)[l]) + static_cast<u64>(inst.imm);
    base.stride[l] = inst.b == kNone ? 0 : slot<u32>(x, inst.b)[l];
  }
}

u64 address(const MatrixOp& op, const Base& base, u32 lane, u32 row, u32 column) {
  const u64 stride = base.stride[lane];
  return base.at[lane] + bytes_of(op.d.type) * (op.crossed ? column * stride + row : row * stride + column);
}

/// Transposes an 8 x 8 matrix of 16-bit elements, two in each register.
void turn(u32* cell) {
  u32 turned[kLanes];
  for (u32 l = 0; l < kLanes; ++l) {
    const u32 row = l / 4, first = l % 4 * 2;
    const auto element = [&](u32 r, u32 c) { return cell[4 * r + c / 2] >> (c % 2 * 16) & 0xFFFF; };
    turned[l] = element(first, row) | element(first + 1, row) << 16;
  }
  std::memcpy(cell, turned, sizeof turned);
}

/// Reads 8 x 8 matrices into `slots`; their rows of 16 bytes are at x.addresses, eight lanes for each matrix.
void load_rows(Exec& x, const Inst& inst, const MatrixOp& op, const u32* slots, u32 count) {
  const u32 lanes = count == 4 ? kAllLanes : (1u << (8 * count)) - 1;
  touch(x, inst, MatrixOp::Space::Shared, AccessKind::Load, 16, lanes, AccessForm::Matrices,
        [&](const std::byte* from, const auto* offsets, u32) {
          for (u32 m = 0; m < count; ++m) {
            u32* const d = slot<u32>(x, slots[m]);
            for (u32 r = 0; r < 8; ++r) std::memcpy(d + 4 * r, from + offsets[8 * m + r], 16);
            if (op.crossed) turn(d);
          }
        });
}

/// Executes wmma.load of shared memory as the hardware does if rows have 16 bytes: by ldmatrix.
void load_fragment_rows(Exec& x, const Inst& inst, const MatrixOp& op, const Base& base) {
  const u32 cells = op.d.cells(), most = bytes_of(op.d.type) == 2 ? 4 : 2,
            group = cells < most ? cells : most;
  for (u32 first = 0; first < cells && x.fault.kind == FaultKind::None; first += group) {
    for (u32 l = 0; l < kLanes; ++l) {
      const auto [row, column] = op.d.place(first + l / 8 % group);
      const u32 step = l % 8;
      x.addresses[l] =
          op.crossed ? address(op, base, l, row, column + step) : address(op, base, l, row + step, column);
    }
    load_rows(x, inst, op, op.d.slots.data() + first, group);
  }
}

/// One access to a cell: each lane moves `width` bytes, the bits [shift, ...) of the registers from `slots`
/// on.
template <bool IsStore>
bool move_cell(Exec& x, const Inst& inst, const MatrixOp& op, u32 width, const u32* slots, u32 shift,
               bool turned) {
  constexpr AccessKind kKind = IsStore ? AccessKind::Store : AccessKind::Load;
  const u32 register_bytes = op.d.type == MatrixElement::F64 ? 8 : 4,
            size = width < register_bytes ? width : register_bytes;
  return touch(x, inst, op.space, kKind, width, kAllLanes, AccessForm::Lanes,
               [&](std::byte* memory, const auto* offsets, u32 lanes) {
                 for (u32 part = 0; part * size < width; ++part) {
                   std::byte* const d = x.frame + slots[part];
                   alignas(64) u32 staged[kLanes];
                   if (IsStore && turned) {
                     std::memcpy(staged, d, sizeof staged);
                     turn(staged);
                   }
                   std::byte* const from = IsStore && turned ? reinterpret_cast<std::byte*>(staged) : d;
                   for (u32 left = lanes; left != 0; left &= left - 1) {
                     const auto l = static_cast<u32>(std::countr_zero(left));
                     std::byte* const at = memory + offsets[l] + part * size;
                     if constexpr (IsStore)
                       std::memcpy(at, from + l * register_bytes + shift, size);
                     else
                       std::memcpy(d + l * register_bytes + shift, at, size);
                   }
                 }
               });
}

template <bool IsStore>
void move_fragment(Exec& x, const Inst& inst, u32 mask) {
  if (!whole_warp(x, mask)) return;
  const MatrixOp& op = operation(x, inst);
  const Fragment& m = op.d;
  Base base;
  read_base(x, inst, op, base);
  if (op.by_rows) {
    load_fragment_rows(x, inst, op, base);
    if (x.fault.kind != FaultKind::None) return;
  }
  const u32 bytes = bytes_of(m.type), share = packed(m.type);
  // Two neighbours in memory are always moved together; if necessary, lanes then exchange them.
  const bool pairs = bytes == 2;
  for (u32 cell = 0; cell < m.cells() && !op.by_rows; ++cell) {
    const auto [row, column] = m.place(cell);
    const u32* const slots = m.slots.data() + cell * m.registers_a_cell();
    const bool whole = pairs || !op.crossed;
    for (u32 j = 0; j < (whole ? 1 : m.run); ++j) {
      for (u32 l = 0; l < kLanes; ++l) {
        const u32 g = l / 4, along = l % 4 * m.run + j;
        x.addresses[l] = pairs && op.crossed ? address(op, base, l, row + along, column + g)
                                             : address(op, base, l, row + g, column + along);
      }
      const u32 width = whole ? m.run * bytes : bytes;
      if (!move_cell<IsStore>(x, inst, op, width, slots + j / share, j % share * bytes, pairs && op.crossed))
        return;
    }
    if (!IsStore && pairs && op.crossed) turn(slot<u32>(x, slots[0]));
  }
  if (IsStore) return;
  const u32 needed = m.cells() * m.registers_a_cell();
  for (u32 r = needed; r < m.slots.size(); ++r) {
    std::memcpy(x.frame + m.slots[r], x.frame + m.slots[r % needed], kLanes * sizeof(u32));
  }
}

/// Addresses of ldmatrix and stmatrix: each lane of a matrix provides one row. A generic address must point
/// to shared memory.
bool row_addresses(Exec& x, const Inst& inst, const MatrixOp& op) {
  Base base;
  read_base(x, inst, op, base);
  for (u32 l = 0; l < kLanes; ++l) {
    if (op.space == MatrixOp::Space::Generic && l < 8 * op.d.slots.size()) {
      if (!in_window(base.at[l], kSharedWindow)) {
        x.fail(FaultKind::OutOfBounds, l, msg::matrix_outside_shared(), msg::matrix_shared_advice());
        return false;
      }
      base.at[l] -= kSharedWindow;
    }
    x.addresses[l] = base.at[l];
  }
  return true;
}

void rows_load(Exec& x, const Inst& inst, u32 mask) {
  const MatrixOp& op = operation(x, inst);
  if (!whole_warp(x, mask) || !row_addresses(x, inst, op)) return;
  load_rows(x, inst, op, op.d.slots.data(), static_cast<u32>(op.d.slots.size()));
}

void rows_store(Exec& x, const Inst& inst, u32 mask) {
  const MatrixOp& op = operation(x, inst);
  if (!whole_warp(x, mask) || !row_addresses(x, inst, op)) return;
  const auto count = static_cast<u32>(op.d.slots.size());
  const u32 lanes = count == 4 ? kAllLanes : (1u << (8 * count)) - 1;
  touch(x, inst, MatrixOp::Space::Shared, AccessKind::Store, 16, lanes, AccessForm::Matrices,
        [&](std::byte* to, const auto* offsets, u32) {
          for (u32 m = 0; m < count; ++m) {
            u32 cell[kLanes];
            std::memcpy(cell, slot<u32>(x, op.d.slots[m]), sizeof cell);
            if (op.crossed) turn(cell);
            for (u32 r = 0; r < 8; ++r) std::memcpy(to + offsets[8 * m + r], cell + 4 * r, 16);
          }
        });
}

void transpose(Exec& x, const Inst& inst, u32 mask) {
  if (!whole_warp(x, mask)) return;
  const MatrixOp& op = operation(x, inst);
  u32 cell[kLanes];
  std::memcpy(cell, slot<u32>(x, op.a.slots[0]), sizeof cell);
  turn(cell);
  std::memcpy(slot<u32>(x, op.d.slots[0]), cell, sizeof cell);
}

}  // namespace

Handler matrix_load_handler() { return move_fragment<false>; }
Handler matrix_store_handler() { return move_fragment<true>; }
Handler matrix_product_handler() { return product; }
Handler rows_load_handler() { return rows_load; }
Handler rows_store_handler() { return rows_store; }
Handler transpose_handler() { return transpose; }

}  // namespace cudalabs::sim
