// The division before the sum, by the reciprocal, and tile by tile.
// loses: shared structure.uses_shared_memory
// loses: padded structure.uses_shared_memory
// loses: padded structure.bank_conflict_free
// loses: padded structure.coalesced
#include "contract.cuh"

#include <cstddef>

template <class Mean>
__global__ void each_row(const float* a, float* out, int rows, int cols, Mean mean) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row < rows) out[row] = mean(a + static_cast<size_t>(row) * cols, cols);
}

struct Quotients {
  __device__ float operator()(const float* x, int n) const {
    float mean = 0;
    for (int i = 0; i < n; ++i) mean += x[i] / static_cast<float>(n);
    return mean;
  }
};

struct Reciprocal {
  __device__ float operator()(const float* x, int n) const {
    const float share = 1.0f / static_cast<float>(n);
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i];
    return sum * share;
  }
};

struct Tiles {
  __device__ float operator()(const float* x, int n) const {
    float mean = 0;
    for (int first = 0; first < n; first += 32) {
      float sum = 0;
      for (int i = first; i < n && i < first + 32; ++i) sum += x[i];
      mean += __fdividef(sum, static_cast<float>(n));
    }
    return mean;
  }
};

template <class Mean>
static void launch(const float* a, float* out, int rows, int cols, Mean mean) {
  if (rows > 0) each_row<<<(rows - 1) / 64 + 1, 64>>>(a, out, rows, cols, mean);
}

void row_mean_global(const float* a, float* out, int rows, int cols) { launch(a, out, rows, cols, Quotients{}); }
void row_mean_shared(const float* a, float* out, int rows, int cols) { launch(a, out, rows, cols, Reciprocal{}); }
void row_mean_padded(const float* a, float* out, int rows, int cols) { launch(a, out, rows, cols, Tiles{}); }
