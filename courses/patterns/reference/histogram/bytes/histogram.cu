// histogram bytes, the reference solution: how often each byte occurs, twice.
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

constexpr int values = 256;   // of a byte
constexpr int threads = 256;  // of a block
constexpr int each = 32;      // bytes for a thread of `shared`

static unsigned blocks_for(int n, int block) { return static_cast<unsigned>((n - 1) / block + 1); }

// One thread a byte. Additions to one counter come one after another, whichever block they are from.
__global__ void histogram_global_kernel(const unsigned char* x, int* counts, int n) {
  const int i = static_cast<int>(blockIdx.x) * threads + static_cast<int>(threadIdx.x);
  if (i < n) atomicAdd(&counts[x[i]], 1);
}

void histogram_global(const unsigned char* x, int* counts, int n) {
  CHECK(cudaMemset(counts, 0, values * sizeof *counts));
  if (n == 0) return;  // a grid must not be empty
  histogram_global_kernel<<<blocks_for(n, threads), threads>>>(x, counts, n);
  CHECK(cudaGetLastError());
}

// Each block has counters of its own in shared memory. Their additions meet only those of the same block, and each
// block adds 256 numbers to the common counters, however many bytes it has counted.
__global__ void histogram_shared_kernel(const unsigned char* x, int* counts, int n) {
  __shared__ int own[values];
  const int t = static_cast<int>(threadIdx.x);
  for (int v = t; v < values; v += threads) own[v] = 0;
  __syncthreads();  // all counters are 0

  const int begin = static_cast<int>(blockIdx.x) * threads * each;
  for (int k = 0; k < each; ++k) {
    const int i = begin + k * threads + t;
    if (i < n) atomicAdd(&own[x[i]], 1);
  }
  __syncthreads();  // all bytes are counted

  for (int v = t; v < values; v += threads) {
    if (own[v] > 0) atomicAdd(&counts[v], own[v]);
  }
}

void histogram_shared(const unsigned char* x, int* counts, int n) {
  CHECK(cudaMemset(counts, 0, values * sizeof *counts));
  if (n == 0) return;
  histogram_shared_kernel<<<blocks_for(n, threads * each), threads>>>(x, counts, n);
  CHECK(cudaGetLastError());
}
