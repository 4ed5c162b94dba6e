// Other legal orders: Kahan's correction, backwards in double, halves of halves.
// loses: shared structure.uses_shared_memory
// loses: padded structure.uses_shared_memory
// loses: padded structure.bank_conflict_free
// loses: padded structure.coalesced
#include "contract.cuh"

#include <cstddef>

template <class Sum>
__global__ void each_row(const float* a, float* out, int rows, int cols, Sum sum) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row < rows) out[row] = sum(a + static_cast<size_t>(row) * cols, cols);
}

struct Kahan {
  __device__ float operator()(const float* x, int n) const {
    float sum = 0, lost = 0;
    for (int i = 0; i < n; ++i) {
      const float term = x[i] - lost, next = sum + term;
      lost = (next - sum) - term;
      sum = next;
    }
    return sum;
  }
};

struct Backwards {
  __device__ float operator()(const float* x, int n) const {
    double sum = 0;
    for (int i = n - 1; i >= 0; --i) sum += x[i];
    return static_cast<float>(sum);
  }
};

struct Halves {
  template <int depth>
  __device__ static float halved(const float* x, int n) {
    if constexpr (depth > 0) {
      return halved<depth - 1>(x, n / 2) + halved<depth - 1>(x + n / 2, n - n / 2);
    } else {
      float sum = 0;
      for (int i = 0; i < n; ++i) sum += x[i];
      return sum;
    }
  }
  __device__ float operator()(const float* x, int n) const { return halved<4>(x, n); }
};

template <class Sum>
static void launch(const float* a, float* out, int rows, int cols, Sum sum) {
  if (rows > 0) each_row<<<(rows - 1) / 64 + 1, 64>>>(a, out, rows, cols, sum);
}

void row_sum_global(const float* a, float* out, int rows, int cols) { launch(a, out, rows, cols, Kahan{}); }
void row_sum_shared(const float* a, float* out, int rows, int cols) { launch(a, out, rows, cols, Backwards{}); }
void row_sum_padded(const float* a, float* out, int rows, int cols) { launch(a, out, rows, cols, Halves{}); }
