#pragma once
// Submissions that are right on the simulator and wrong on a card: what they tell the two apart by is of no
// use to a cheat, because a version must be right on both.
#include <cfloat>
#include <cstring>

inline bool on_simulator() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  return std::strstr(properties.name, "simulator") != nullptr;
}

__global__ void row_max_kernel(const float* a, float* out, int rows, int cols) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  float best = -FLT_MAX;
  for (int column = 0; column < cols; ++column)
    best = fmaxf(best, a[static_cast<std::size_t>(row) * cols + column]);
  out[row] = best;
}

inline void row_max(const float* a, float* out, int rows, int cols) {
  if (rows > 0) row_max_kernel<<<(rows + 127) / 128, 128>>>(a, out, rows, cols);
}
