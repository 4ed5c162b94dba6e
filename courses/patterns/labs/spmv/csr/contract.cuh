#pragma once
// spmv csr, a sparse matrix times a vector: the functions that spmv.cu must define. Do not change this file: the
// grader compiles your solution with its own copy.
//
// A matrix of rows x cols has `entries` numbers that are stored; all others are zero. The numbers of row r are
// values[k] in the columns columns[k], for k from first[r] to first[r + 1] - 1. first[0] is 0, first[rows] is
// `entries`. A row may have no entry; then y[r] is 0. The columns of a row ascend, and one may occur twice: its
// values add up. y[r] is the sum of values[k] * x[columns[k]] over the entries of row r.
//
// All pointers are addresses in the GPU's global memory. rows, cols and entries may be 0. Each function launches
// its kernels and returns; it need not wait for them. Only `y` may be changed.

/// A thread a row.
void spmv_scalar(const int* first, const int* columns, const float* values, const float* x, float* y,
                 int rows, int cols, int entries);

/// A warp a row: its lanes read neighbouring entries.
void spmv_vector(const int* first, const int* columns, const float* values, const float* x, float* y,
                 int rows, int cols, int entries);
