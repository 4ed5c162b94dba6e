// lab3 variant1, the reference solution: the dot product of two vectors, three times.
#include "contract.cuh"

#include <algorithm>
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

constexpr int threads = 256;  // of a block; a power of two, or the tree below loses elements

// Enough blocks for n elements, each thread taking about `per_thread` of them; at least one, at most `most`.
static unsigned blocks_for(int n, int per_thread, int most) {
  const int per_block = threads * per_thread;
  return static_cast<unsigned>(std::min(std::max(1, (n - 1) / per_block + 1), most));
}

// This thread's share of the sum: every product at a distance of the whole grid, so that neighbouring threads
// read neighbouring elements whatever n is.
__device__ float partial_sum(const float* x, const float* y, int n) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  float sum = 0;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    sum += x[i] * y[i];
  return sum;
}

// Each thread adds its own share to the result. Additions to one address happen one after the other, so there
// must be few threads.
__global__ void dot_global_kernel(const float* x, const float* y, float* out, int n) {
  atomicAdd(out, partial_sum(x, y, n));
}

void dot_global(const float* x, const float* y, float* out, int n) {
  CHECK(cudaMemsetAsync(out, 0, sizeof *out));
  dot_global_kernel<<<blocks_for(n, 32, 64), threads>>>(x, y, out, n);
  CHECK(cudaGetLastError());
}

// Where partial sum i lies. Padded, every 32 places are followed by one that stays unused: what lies 32, 64,
// ... places apart then lies in different banks.
template <bool padded>
__device__ int place(int i) {
  return padded ? i + i / 32 : i;
}

// The block's partial sums are added up in pairs: neighbours first, then every second, every fourth ... Thread
// t works at 2 * step * t, so the threads that work are the first ones, and whole warps retire. But their
// places lie 2, 4, 8 ... banks apart: without padding, 2, 4, 8 ... lanes meet in one bank.
template <bool padded>
__global__ void dot_tree_kernel(const float* x, const float* y, float* out, int n) {
  __shared__ float partial[threads + threads / 32];
  const int t = static_cast<int>(threadIdx.x);
  partial[place<padded>(t)] = partial_sum(x, y, n);
  for (int step = 1; step < threads; step *= 2) {
    __syncthreads();  // what the last round wrote is there
    const int left = 2 * step * t;
    if (left < threads) partial[place<padded>(left)] += partial[place<padded>(left + step)];
  }
  if (t == 0) atomicAdd(out, partial[0]);  // which this thread wrote itself
}

template <bool padded>
static void launch_tree(const float* x, const float* y, float* out, int n) {
  CHECK(cudaMemsetAsync(out, 0, sizeof *out));
  dot_tree_kernel<padded><<<blocks_for(n, 4, 1024), threads>>>(x, y, out, n);
  CHECK(cudaGetLastError());
}

void dot_shared(const float* x, const float* y, float* out, int n) { launch_tree<false>(x, y, out, n); }

void dot_padded(const float* x, const float* y, float* out, int n) { launch_tree<true>(x, y, out, n); }
