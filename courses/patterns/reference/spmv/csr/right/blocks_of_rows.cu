// spmv csr: threads and blocks that walk over the rows, and a tree in shared memory.
#include "contract.cuh"

constexpr int block_size = 64;
constexpr int max_blocks = 4096;

__global__ void thread_kernel(const int* first, const int* columns, const float* values, const float* x,
                              float* y, int rows) {
  for (int r = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); r < rows;
       r += static_cast<int>(gridDim.x * blockDim.x)) {
    // Four sums that do not wait for each other.
    float sums[4] = {0, 0, 0, 0};
    int k = first[r];
    const int end = first[r + 1];
    for (; k + 4 <= end; k += 4)
      for (int i = 0; i < 4; ++i) sums[i] += values[k + i] * x[columns[k + i]];
    for (; k < end; ++k) sums[0] += values[k] * x[columns[k]];
    y[r] = sums[0] + sums[1] + (sums[2] + sums[3]);
  }
}

__global__ void block_kernel(const int* first, const int* columns, const float* values, const float* x,
                             float* y, int rows) {
  __shared__ float sums[block_size];
  const int t = static_cast<int>(threadIdx.x);
  for (int r = static_cast<int>(blockIdx.x); r < rows; r += static_cast<int>(gridDim.x)) {
    float sum = 0;
    for (int k = first[r] + t; k < first[r + 1]; k += block_size) sum += values[k] * x[columns[k]];
    sums[t] = sum;
    for (int half = block_size / 2; half > 0; half /= 2) {
      __syncthreads();
      if (t < half) sums[t] += sums[t + half];
    }
    if (t == 0) y[r] = sums[0];
    __syncthreads();  // sums is free for the next row
  }
}

void spmv_scalar(const int* first, const int* columns, const float* values, const float* x, float* y,
                 int rows, int, int) {
  if (rows == 0) return;
  thread_kernel<<<min((rows - 1) / block_size + 1, max_blocks), block_size>>>(first, columns, values, x, y,
                                                                              rows);
}

void spmv_vector(const int* first, const int* columns, const float* values, const float* x, float* y,
                 int rows, int, int) {
  if (rows == 0) return;
  block_kernel<<<min(rows, max_blocks), block_size>>>(first, columns, values, x, y, rows);
}
