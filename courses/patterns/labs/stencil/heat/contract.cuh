#pragma once
// stencil heat, a step of heat conduction: the functions that heat.cu must define. Do not change this file: the
// grader compiles your solution with its own copy.
//
// `t` and `next` are addresses in the GPU's global memory. Both are grids of rows x cols cells, row by row: the
// cell in row r and column c is t[r * cols + c]. rows, cols >= 0.
// A cell that has four neighbours becomes
//
//   next[r][c] = t[r][c] + k * (t[r - 1][c] + t[r + 1][c] + t[r][c - 1] + t[r][c + 1] - 4 * t[r][c])
//
// in any order of the operations. A cell of the border (the first and last row, the first and last column)
// keeps its temperature: next[r][c] = t[r][c].
// What `next` holds before the call is not defined. Each function launches its kernels and returns; it need not
// wait for them. It must leave `t` unchanged.

/// One thread a cell, straight from global memory.
void heat_global(const float* t, float* next, int rows, int cols, float k);

/// A tile of `t`, with the cells around it, staged in shared memory.
void heat_shared(const float* t, float* next, int rows, int cols, float k);
