// Four bytes are loaded as one word. `shared` has a histogram for each warp of the block.
#include "contract.cuh"

#include <cstdint>

constexpr int warps = 4;

// Calls count(byte) for the bytes of this thread. The words begin at the first aligned address.
template <class Count>
__device__ void each_byte(const unsigned char* x, int n, Count count) {
  const int id = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int step = static_cast<int>(gridDim.x * blockDim.x);
  const int skipped = min(n, static_cast<int>((4 - reinterpret_cast<uintptr_t>(x) % 4) % 4));
  const int words = (n - skipped) / 4, tail = skipped + 4 * words;
  const auto* word = reinterpret_cast<const unsigned*>(x + skipped);
  if (id < skipped) count(x[id]);
  if (id < n - tail) count(x[tail + id]);
  for (int i = id; i < words; i += step)
    for (unsigned w = word[i], k = 0; k < 4; ++k, w >>= 8) count(w & 255);
}

__global__ void words_global(const unsigned char* x, int* counts, int n) {
  each_byte(x, n, [=](unsigned v) { atomicAdd(counts + v, 1); });
}

__global__ void words_shared(const unsigned char* x, int* counts, int n) {
  __shared__ int own[warps][256];
  for (int v = static_cast<int>(threadIdx.x); v < warps * 256; v += warps * 32) (&own[0][0])[v] = 0;
  __syncthreads();
  int* mine = own[threadIdx.x / 32];
  each_byte(x, n, [=](unsigned v) { atomicAdd(mine + v, 1); });
  __syncthreads();
  for (int v = static_cast<int>(threadIdx.x); v < 256; v += warps * 32) {
    int sum = 0;
    for (int w = 0; w < warps; ++w) sum += own[w][v];
    if (sum != 0) atomicAdd(counts + v, sum);
  }
}

static int blocks(int n, int bytes) { return n / bytes + 1; }

void histogram_global(const unsigned char* x, int* counts, int n) {
  cudaMemset(counts, 0, 256 * sizeof(int));
  words_global<<<blocks(n, 1024), 256>>>(x, counts, n);
}

void histogram_shared(const unsigned char* x, int* counts, int n) {
  cudaMemset(counts, 0, 256 * sizeof(int));
  words_shared<<<blocks(n, 4096), warps * 32>>>(x, counts, n);
}
