// Parts of a row meet in one word, as if nobody else came between: a compare-and-swap that is not tried again, and a
// value that is looked at and then stored.
#include "good.cuh"

__device__ float part_of_row(const float* a, int row, int cols, int part) {
  float best = -INFINITY;
  for (int col = part * 32 + threadIdx.x; col < cols; col += 128) best = fmaxf(best, a[static_cast<size_t>(row) * cols + col]);
  for (int step = 16; step > 0; step /= 2) best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, step));
  return best;
}

__global__ void set(float* out, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) out[row] = -INFINITY;
}

__global__ void swap_once(const float* a, float* out, int rows, int cols) {
  const int row = blockIdx.x / 4;
  const float best = part_of_row(a, row, cols, blockIdx.x % 4);
  if (threadIdx.x != 0) return;
  int* const place = reinterpret_cast<int*>(out + row);
  const int old = *reinterpret_cast<volatile int*>(place);
  if (best > __int_as_float(old)) atomicCAS(place, old, __float_as_int(best));
}

__global__ void look_and_store(const float* a, float* out, int cols) {
  __shared__ volatile float most;
  if (threadIdx.x == 0 && threadIdx.y == 0) most = -INFINITY;
  __syncthreads();
  const float best = part_of_row(a, blockIdx.x, cols, threadIdx.y);
  if (threadIdx.x == 0 && best > most) most = best;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) out[blockIdx.x] = most;
}

ENTRY(global) {
  if (rows == 0) return;
  set<<<(rows + 255) / 256, 256>>>(out, rows);
  swap_once<<<4 * rows, 32>>>(a, out, rows, cols);
}
ENTRY(shared) {
  if (rows > 0) look_and_store<<<rows, dim3(32, 4)>>>(a, out, cols);
}
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
