// A tile of cooperative groups whose lanes do not all come to sync().
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void halves(int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int t = threadIdx.x;
  int value = t;
#ifdef RIGHT
  value = tile.shfl(value, 0);
#else
  if (t % 16 < 8)
    value = tile.shfl(value, 0);  // <-- synccheck
  else
    value = tile.shfl(value, 8);  // <-- synccheck
#endif
  out[t] = value;
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(int));
  halves<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
