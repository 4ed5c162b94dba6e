#pragma once
// The layout of wmma and mma.sync matrices in the registers of a warp. One rule covers every shape: of each
// cell of 8 rows, lane 4 g + t (g: 0 to 7, t: 0 to 3) holds `run` neighbouring elements of row g. The PTX ISA
// documents this layout for mma.sync; for wmma it is unspecified, and the hardware's compiler uses the same.

#include <cstdint>
#include <vector>

namespace cudalabs::sim {

enum class MatrixElement : std::uint8_t { F16, BF16, TF32, F32, F64, S8, U8, S32 };

/// Bytes of an element in memory.
constexpr std::uint32_t bytes_of(MatrixElement type) {
  switch (type) {
    case MatrixElement::F16:
    case MatrixElement::BF16: return 2;
    case MatrixElement::F64: return 8;
    case MatrixElement::S8:
    case MatrixElement::U8: return 1;
    default: return 4;
  }
}

/// Number of elements in a register.
constexpr std::uint32_t packed(MatrixElement type) { return bytes_of(type) < 4 ? 4 / bytes_of(type) : 1; }

/// A matrix of `rows` x `columns` in registers. A is rows x k, B is kept by its columns (n x k), C and D are
/// rows x columns: each element of the product is the product of two rows.
struct Fragment {
  MatrixElement type{};
  std::uint32_t rows = 0, columns = 0;
  std::uint32_t run = 0;  ///< neighbouring elements of a cell's row in one lane
  /// number of cells below each other that come first; then those to the right, then further down
  std::uint32_t stack = 1;
  std::vector<std::uint32_t> slots;  ///< in the order of cells; additional ones are copies of the first ones

  [[nodiscard]] std::uint32_t cell_columns() const { return 4 * run; }
  [[nodiscard]] std::uint32_t cells() const { return rows / 8 * (columns / cell_columns()); }
  [[nodiscard]] std::uint32_t registers_a_cell() const { return run / packed(type); }
  struct Place {
    std::uint32_t row, column;
  };
  /// The upper left element of a cell.
  [[nodiscard]] Place place(std::uint32_t cell) const {
    const std::uint32_t wide = columns / cell_columns();
    return {8 * (cell / (stack * wide) * stack + cell % stack), cell / stack % wide * cell_columns()};
  }
};

/// The operands of one matrix instruction.
struct MatrixOp {
  enum class Space : std::uint8_t { Generic, Global, Shared };
  Fragment d, a, b, c;  ///< mma: d = a b' + c; load, store: d. ldmatrix etc.: d.slots (and a.slots)
  bool saturate = false;
  Space space = Space::Generic;
  bool wide_address = true;
  bool crossed = false;  ///< neighbours in memory are below each other in the fragment (for ldmatrix: .trans)
  /// read as 8 x 8 matrices with rows of 16 bytes: ldmatrix, and wmma.load executed by it
  bool by_rows = false;
};

}  // namespace cudalabs::sim
