// lab1 variant2, the reference solution: the values of a polynomial, twice.
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

constexpr int threads = 256;  // of a block

static unsigned blocks_for(int count) { return static_cast<unsigned>((count - 1) / threads + 1); }

// One thread an element, by Horner's rule. All threads of a warp read the same coefficient at the same time; in global
// memory that is one sector, but it travels through the same pipe and cache as x and y.
__global__ void polynomial_global_kernel(const float* x, const float* c, float* y, int n, int terms) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float at = x[i];
  float sum = c[terms - 1];
  for (int k = terms - 2; k >= 0; --k) sum = sum * at + c[k];
  y[i] = sum;
}

void polynomial_global(const float* x, const float* c, float* y, int n, int terms) {
  if (n == 0) return;  // a grid must not be empty
  polynomial_global_kernel<<<blocks_for(n), threads>>>(x, c, y, n, terms);
  CHECK(cudaGetLastError());
}

// Constant memory has a cache of its own that serves one address to a whole warp at once, and an instruction can take an
// operand straight from there. Kernels cannot write it: the host copies, from one place in the GPU's memory to another.
constexpr int most_terms = 256;
__constant__ float coefficients[most_terms];

__global__ void polynomial_constant_kernel(const float* x, float* y, int n, int terms) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float at = x[i];
  float sum = coefficients[terms - 1];
  for (int k = terms - 2; k >= 0; --k) sum = sum * at + coefficients[k];
  y[i] = sum;
}

void polynomial_constant(const float* x, const float* c, float* y, int n, int terms) {
  if (n == 0) return;
  CHECK(cudaMemcpyToSymbol(coefficients, c, static_cast<size_t>(terms) * sizeof *c, 0, cudaMemcpyDeviceToDevice));
  polynomial_constant_kernel<<<blocks_for(n), threads>>>(x, y, n, terms);
  CHECK(cudaGetLastError());
}
