// @LAB@ @VARIANT@, the reference solution.
#include "contract.cuh"

#include <cstdio>
#include <cstdlib>

// A launch returns no error: without this check nobody sees a wrong configuration.
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

constexpr int threads = 256;  // of a block

__global__ void spmv_kernel(const int* first, const int* columns, const float* values, const float* x, float* y,
                            int rows) {
  const int r = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (r >= rows) return;
  float sum = 0;
  for (int k = first[r]; k < first[r + 1]; ++k) sum += values[k] * x[columns[k]];
  y[r] = sum;
}

void @ENTRY@_scalar(const int* first, const int* columns, const float* values, const float* x, float* y, int rows,
                 int /*cols*/, int /*entries*/) {
  if (rows == 0) return;  // a grid must not be empty
  spmv_kernel<<<(rows - 1) / threads + 1, threads>>>(first, columns, values, x, y, rows);
  CHECK(cudaGetLastError());
}
