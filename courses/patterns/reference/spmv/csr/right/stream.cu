// spmv csr: products first, then sums. A block takes a stretch of entries, whatever rows they are in, multiplies them
// into shared memory, and adds each row's part to y. Before that, a thread an entry.
#include "contract.cuh"

constexpr int block_size = 256;
constexpr int stretch = 4 * block_size;  // entries of a block

// The row of entry k: the last one that begins at or before it and is not empty.
__device__ int row_of(const int* first, int rows, int k) {
  int low = 0, high = rows;  // first[low] <= k < first[high]
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (first[middle] <= k ? low : high) = middle;
  }
  return low;
}

__global__ void stream_kernel(const int* first, const int* columns, const float* values, const float* x,
                              float* y, int rows, int entries) {
  __shared__ float products[stretch];
  __shared__ int ends[2];
  const int begin = static_cast<int>(blockIdx.x) * stretch, end = min(begin + stretch, entries);
  const int t = static_cast<int>(threadIdx.x);
  for (int k = begin + t; k < end; k += block_size) products[k - begin] = values[k] * x[columns[k]];
  if (t < 2) ends[t] = row_of(first, rows, t == 0 ? begin : end - 1);
  __syncthreads();
  for (int r = ends[0] + t; r <= ends[1]; r += block_size) {
    const int from = max(first[r], begin), to = min(first[r + 1], end);
    float sum = 0;
    for (int k = from; k < to; ++k) sum += products[k - begin];
    if (from < to) atomicAdd(&y[r], sum);
  }
}

// A thread an entry.
__global__ void entries_kernel(const int* first, const int* columns, const float* values, const float* x,
                               float* y, int rows, int entries) {
  const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < entries) atomicAdd(&y[row_of(first, rows, k)], values[k] * x[columns[k]]);
}

void spmv_scalar(const int* first, const int* columns, const float* values, const float* x, float* y,
                 int rows, int, int entries) {
  if (rows == 0) return;
  cudaMemsetAsync(y, 0, static_cast<size_t>(rows) * sizeof *y);
  if (entries == 0) return;
  entries_kernel<<<(entries - 1) / block_size + 1, block_size>>>(first, columns, values, x, y, rows, entries);
}

void spmv_vector(const int* first, const int* columns, const float* values, const float* x, float* y,
                 int rows, int, int entries) {
  if (rows == 0) return;
  cudaMemsetAsync(y, 0, static_cast<size_t>(rows) * sizeof *y);
  if (entries == 0) return;
  stream_kernel<<<(entries - 1) / stretch + 1, block_size>>>(first, columns, values, x, y, rows, entries);
}
