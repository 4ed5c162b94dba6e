// accepted: the block that the occupancy calculator names
#include "contract.cuh"
#include "only_on_card.cuh"
void row_max_global(const float* a, float* out, int rows, int cols) {
  int grid = 0, block = 0;
  if (rows == 0 || cudaOccupancyMaxPotentialBlockSize(&grid, &block, row_max_kernel, 0, 0) != cudaSuccess) return;
  row_max_kernel<<<(rows + block - 1) / block, block>>>(a, out, rows, cols);
}
