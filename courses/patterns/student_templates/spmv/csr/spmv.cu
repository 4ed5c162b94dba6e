// spmv csr: a sparse matrix times a vector. Read handout.md first.
//
// Row r has the entries first[r] to first[r + 1] - 1: values[k] stands in column columns[k]. A row may be empty.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. A thread a row.

// TODO: write a kernel in which each thread adds up the products of one row.
//   - Not every thread has a row.
//   - What is y[r] of a row without an entry?

void spmv_scalar(const int* first, const int* columns, const float* values, const float* x, float* y,
                 int rows, int cols, int entries) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if rows is 0?
  (void)first, (void)columns, (void)values, (void)x, (void)y, (void)rows, (void)cols, (void)entries;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. A warp a row.

// TODO: write a kernel in which the 32 lanes of a warp share one row.
//   - Which entries does lane 5 take, so that the warp reads neighbours at each step?
//   - How do the 32 sums of the lanes become one? Who writes it?

void spmv_vector(const int* first, const int* columns, const float* values, const float* x, float* y,
                 int rows, int cols, int entries) {
  // TODO: launch your kernel. How many blocks are needed if a block has 128 threads?
  (void)first, (void)columns, (void)values, (void)x, (void)y, (void)rows, (void)cols, (void)entries;
}
