// spmv csr: as many lanes a row as the average row has use for, from 1 to 32, chosen on the host.
#include "contract.cuh"

constexpr int block_size = 128;

template <int lanes>
__global__ void rows_kernel(const int* first, const int* columns, const float* values, const float* x,
                            float* y, int rows) {
  const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const int r = static_cast<int>(thread / lanes), lane = static_cast<int>(thread % lanes);
  float sum = 0;
  if (r < rows)
    for (int k = first[r] + lane; k < first[r + 1]; k += lanes) sum = fmaf(values[k], x[columns[k]], sum);
  // Every lane of the warp takes part; the sums of other rows stay in other groups of lanes.
  for (int mask = lanes / 2; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  if (r < rows && lane == 0) y[r] = sum;
}

template <int lanes>
static void launch(const int* first, const int* columns, const float* values, const float* x, float* y,
                   int rows, int entries) {
  if (rows == 0) return;
  if constexpr (lanes < 32) {
    if (static_cast<long long>(rows) * lanes < entries)
      return launch<2 * lanes>(first, columns, values, x, y, rows, entries);
  }
  const long long threads = static_cast<long long>(rows) * lanes;
  rows_kernel<lanes><<<static_cast<unsigned>((threads - 1) / block_size + 1), block_size>>>(
      first, columns, values, x, y, rows);
}

// A thread a row, from its last entry to its first.
__global__ void from_the_end_kernel(const int* first, const int* columns, const float* values, const float* x,
                                    float* y, int rows, int entries) {
  const int r = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (r >= rows) return;
  float sum = 0;
  for (int k = r + 1 < rows ? first[r + 1] : entries; k-- > first[r];)
    sum = fmaf(values[k], x[columns[k]], sum);
  y[r] = sum;
}

void spmv_scalar(const int* first, const int* columns, const float* values, const float* x, float* y,
                 int rows, int, int entries) {
  if (rows > 0) from_the_end_kernel<<<(rows - 1) / 64 + 1, 64>>>(first, columns, values, x, y, rows, entries);
}

void spmv_vector(const int* first, const int* columns, const float* values, const float* x, float* y,
                 int rows, int, int entries) {
  launch<8>(first, columns, values, x, y, rows, entries);
}
