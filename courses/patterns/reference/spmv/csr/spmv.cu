// spmv csr, the reference solution: a sparse matrix times a vector, by a thread and by a warp a row.
#include "contract.cuh"

#include <cstdio>
#include <cstdlib>

// A launch reports nothing by itself: ask, or a wrong configuration goes unseen.
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

constexpr int block_size = 128;
constexpr int warp_size = 32;
constexpr int warps = block_size / warp_size;  // of a block
constexpr unsigned all_lanes = 0xffffffffu;

static int blocks_for(int count, int block) { return (count - 1) / block + 1; }

// A thread walks along its row. Its neighbour's row begins a whole row further on, so a warp reads 32 places at a
// time that lie far apart.
__global__ void spmv_scalar_kernel(const int* first, const int* columns, const float* values, const float* x,
                                   float* y, int rows) {
  const int r = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (r >= rows) return;
  const int end = first[r + 1];
  float sum = 0;
  for (int k = first[r]; k < end; ++k) sum += values[k] * x[columns[k]];
  y[r] = sum;
}

// The lanes of a warp read 32 neighbouring entries of one row at a time, and add up their sums at its end.
__global__ void spmv_vector_kernel(const int* first, const int* columns, const float* values, const float* x,
                                   float* y, int rows) {
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const int r = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / warp_size;
  if (r >= rows) return;  // the whole warp leaves
  const int end = first[r + 1];
  float sum = 0;
  for (int k = first[r] + lane; k < end; k += warp_size) sum += values[k] * x[columns[k]];
  for (int distance = warp_size / 2; distance > 0; distance /= 2)
    sum += __shfl_down_sync(all_lanes, sum, distance);
  if (lane == 0) y[r] = sum;
}

void spmv_scalar(const int* first, const int* columns, const float* values, const float* x, float* y,
                 int rows, int /*cols*/, int /*entries*/) {
  if (rows == 0) return;  // a grid must not be empty
  spmv_scalar_kernel<<<blocks_for(rows, block_size), block_size>>>(first, columns, values, x, y, rows);
  CHECK(cudaGetLastError());
}

void spmv_vector(const int* first, const int* columns, const float* values, const float* x, float* y,
                 int rows, int /*cols*/, int /*entries*/) {
  if (rows == 0) return;
  spmv_vector_kernel<<<blocks_for(rows, warps), block_size>>>(first, columns, values, x, y, rows);
  CHECK(cudaGetLastError());
}
