#pragma once
// Handlers of wmma, mma.sync, ldmatrix, stmatrix and movmatrix. All work on a whole warp; fewer than 32 lanes
// fault. Inst::extra is an index into Program::matrices.
//
// Arithmetic: products are exact, and their sum with C is taken in double precision (where the products of
// halves, bfloats and tf32 leave it exact but for extreme ranges) and rounded once, to nearest. The hardware
// aligns the terms to the largest and cuts off: of 256000 sums of 16 products of halves in (-1, 1), an H100
// gave 95 % as the exact sum cut to 24 bits, the rest one or two units off. So the last bit or two may
// differ. Double precision is a chain of fma in the order of k, bit for bit what an H100 gives. Integers
// wrap, or saturate with .satfinite.

#include "grader/simulator/ops/exec.h"
#include "grader/simulator/program/matrix.h"

namespace cudalabs::sim {

/// a = base address, imm = its offset, b = leading dimension in elements (32 bits).
Handler matrix_load_handler();
Handler matrix_store_handler();
Handler matrix_product_handler();
/// ldmatrix, stmatrix: a = base address, imm = its offset; a register of d.slots for each matrix.
Handler rows_load_handler();
Handler rows_store_handler();
/// movmatrix: d.slots[0] = a.slots[0] transposed.
Handler transpose_handler();

}  // namespace cudalabs::sim
