// convolution constant, the reference solution: the convolution of an array with a mask, three times.
#include "contract.cuh"

#include <cstddef>
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
constexpr int max_taps = 128;

static unsigned blocks_for(int n) { return static_cast<unsigned>((n - 1) / threads + 1); }

// One thread an element. All lanes of a warp read the same weight at the same time, and neighbouring elements.
__global__ void convolution_global_kernel(const float* x, const float* mask, float* y, int n, int taps) {
  const int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  if (i >= n) return;
  float sum = 0;
  for (int j = 0, at = i - taps / 2; j < taps; ++j, ++at) {
    if (at >= 0 && at < n) sum += mask[j] * x[at];
  }
  y[i] = sum;
}

void convolution_global(const float* x, const float* mask, float* y, int n, int taps) {
  if (n == 0) return;  // a grid must not be empty
  convolution_global_kernel<<<blocks_for(n), threads>>>(x, mask, y, n, taps);
  CHECK(cudaGetLastError());
}

// Constant memory serves a whole warp at once where all lanes read one address, and leaves the caches of global
// memory to x. Its size is fixed when the program is compiled.
__constant__ float weights[max_taps];

static void copy_weights(const float* mask, int taps) {
  CHECK(cudaMemcpyToSymbol(weights, mask, static_cast<size_t>(taps) * sizeof(float), 0,
                           cudaMemcpyDeviceToDevice));
}

__global__ void convolution_constant_kernel(const float* x, float* y, int n, int taps) {
  const int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  if (i >= n) return;
  float sum = 0;
  for (int j = 0, at = i - taps / 2; j < taps; ++j, ++at) {
    if (at >= 0 && at < n) sum += weights[j] * x[at];
  }
  y[i] = sum;
}

void convolution_constant(const float* x, const float* mask, float* y, int n, int taps) {
  if (n == 0) return;
  copy_weights(mask, taps);
  convolution_constant_kernel<<<blocks_for(n), threads>>>(x, y, n, taps);
  CHECK(cudaGetLastError());
}

// The block's elements and the taps - 1 around them are read once from global memory. A place of the tile that lies
// outside of x holds 0, so the sum needs no guard.
__global__ void convolution_shared_kernel(const float* x, float* y, int n, int taps) {
  __shared__ float tile[threads + max_taps - 1];
  const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * threads + t;
  const int first = static_cast<int>(blockIdx.x) * threads - taps / 2;  // the element in tile[0]
  for (int place = t; place < threads + taps - 1; place += threads) {
    const int at = first + place;
    tile[place] = at >= 0 && at < n ? x[at] : 0;
  }
  __syncthreads();  // the tile is complete
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < taps; ++j) sum += weights[j] * tile[t + j];
  y[i] = sum;
}

void convolution_shared(const float* x, const float* mask, float* y, int n, int taps) {
  if (n == 0) return;
  copy_weights(mask, taps);
  convolution_shared_kernel<<<blocks_for(n), threads>>>(x, y, n, taps);
  CHECK(cudaGetLastError());
}
