#pragma once
// Handlers of wmma, mma.sync, ldmatrix, stmatrix and movmatrix. All of them need a full warp; fewer than 32
// lanes fault. Inst::extra is an index into Program::matrices.
//
// Arithmetic: products are exact. Their sum with C is computed in double precision and rounded once, to
// nearest; for products of halves, bfloats and tf32 it is exact except for extreme ranges. The hardware
// aligns the terms to the largest and truncates: of 256000 sums of 16 products of halves in (-1, 1), an H100
// gave 95 % as the exact sum truncated to 24 bits, and the rest one or two units off. So the last bit or two
// may differ. Double precision is a chain of fma in the order of k, which matches an H100 bit for bit.
// Integers wrap, or saturate with .satfinite.

#include "grader/sim/executable/matrix.h"
#include "grader/sim/ops/exec.h"

namespace cudalabs::sim {

/// a = base address, imm = its offset, b = leading dimension in elements (32 bits).
Handler matrix_load_handler();
Handler matrix_store_handler();
Handler matrix_product_handler();
/// ldmatrix, stmatrix: a = base address, imm = its offset; d.slots has a register for each matrix.
Handler rows_load_handler();
Handler rows_store_handler();
/// movmatrix: d.slots[0] = a.slots[0] transposed.
Handler transpose_handler();

}  // namespace cudalabs::sim
