// Lanes with equal bytes elect one that adds for all. In `shared` the block first copies its bytes into a tile, and each
// thread counts one value in it: no atomic additions but the last.
#include "contract.cuh"

__global__ void set_zero(int* counts) { counts[threadIdx.x] = 0; }

__global__ void leaders(const unsigned char* x, int* counts, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned active = __ballot_sync(0xffffffff, i < n);
  if (i >= n) return;
  const unsigned equal = __match_any_sync(active, static_cast<unsigned>(x[i]));
  if (static_cast<int>(threadIdx.x % 32) == __ffs(static_cast<int>(equal)) - 1)
    atomicAdd(&counts[x[i]], __popc(equal));
}

void histogram_global(const unsigned char* x, int* counts, int n) {
  set_zero<<<1, 256>>>(counts);
  leaders<<<n / 256 + 1, 256>>>(x, counts, n);
}

constexpr int size = 2048;  // bytes of a tile

__global__ void owners(const unsigned char* x, int* counts, int n) {
  __shared__ unsigned char tile[size];
  const int begin = static_cast<int>(blockIdx.x) * size, bytes = min(size, n - begin);
  for (int k = static_cast<int>(threadIdx.x); k < bytes; k += 256) tile[k] = x[begin + k];
  __syncthreads();
  int found = 0;
  for (int k = 0; k < bytes; ++k) found += tile[k] == threadIdx.x ? 1 : 0;
  if (found > 0) atomicAdd(counts + threadIdx.x, found);
}

void histogram_shared(const unsigned char* x, int* counts, int n) {
  set_zero<<<1, 256>>>(counts);
  owners<<<n / size + 1, 256>>>(x, counts, n);
}
