// Bands of rows with atomics; a warp a column through registers only; several streams with float4.
// loses: shared structure.uses_shared_memory
// loses: padded structure.uses_shared_memory
// loses: padded structure.bank_conflict_free
// loses: padded structure.coalesced
#include "contract.cuh"

#include <cstddef>

__global__ void band(const float* a, float* out, int rows, int cols) {
  const int col = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (col >= cols) return;
  float sum = 0;
  for (int r = static_cast<int>(blockIdx.y); r < rows; r += static_cast<int>(gridDim.y))
    sum += a[static_cast<size_t>(r) * cols + col];
  atomicAdd(out + col, sum);
}

__global__ void divide(float* out, int rows, int cols) {
  const int col = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (col < cols) out[col] /= static_cast<float>(rows);
}

void col_mean_global(const float* a, float* out, int rows, int cols) {
  if (cols == 0) return;
  const unsigned blocks = (cols - 1) / 128 + 1;
  cudaMemsetAsync(out, 0, static_cast<size_t>(cols) * sizeof *out);
  band<<<dim3(blocks, 16), 128>>>(a, out, rows, cols);
  divide<<<blocks, 128>>>(out, rows, cols);
}

__global__ void in_double(const float* a, float* out, int rows, int cols, int first, int count) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), col = first + thread;
  if (thread >= count) return;
  double sum = 0;
  for (int r = 0; r < rows; ++r) sum += a[static_cast<size_t>(r) * cols + col];
  out[col] = static_cast<float>(sum / rows);
}

void col_mean_shared(const float* a, float* out, int rows, int cols) {
  cudaStream_t streams[2];
  for (auto& s : streams) cudaStreamCreate(&s);
  for (int k = 0; k < 2; ++k) {
    const int first = cols / 2 * k, count = k == 1 ? cols - first : cols / 2;
    // Columns of a band of the matrix: same rows, same distance between them.
    if (count > 0) in_double<<<(count - 1) / 64 + 1, 64, 0, streams[k]>>>(a, out, rows, cols, first, count);
  }
  for (auto& s : streams) cudaStreamSynchronize(s), cudaStreamDestroy(s);
}

__global__ void warp_a_column(const float* a, float* out, int rows, int cols) {
  const int col = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32), lane = threadIdx.x % 32;
  if (col >= cols) return;
  float sum = 0;
  for (int r = lane; r < rows; r += 32) sum += a[static_cast<size_t>(r) * cols + col];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) out[col] = sum / static_cast<float>(rows);
}

void col_mean_padded(const float* a, float* out, int rows, int cols) {
  if (cols > 0) warp_a_column<<<(cols - 1) / 8 + 1, 256>>>(a, out, rows, cols);
}
