// accepted: as many blocks as the card runs at a time
#include "contract.cuh"
#include "only_on_card.cuh"
__global__ void strided(const float* a, float* out, int rows, int cols) {
  for (int row = static_cast<int>(blockIdx.x); row < rows; row += static_cast<int>(gridDim.x)) {
    float best = -FLT_MAX;
    for (int column = static_cast<int>(threadIdx.x); column < cols; column += 32)
      best = fmaxf(best, a[static_cast<std::size_t>(row) * cols + column]);
    for (int step = 16; step > 0; step /= 2) best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, step));
    if (threadIdx.x == 0) out[row] = best;
  }
}
void row_max_global(const float* a, float* out, int rows, int cols) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  if (rows > 0) strided<<<properties.multiProcessorCount * 4, 32>>>(a, out, rows, cols);
}
