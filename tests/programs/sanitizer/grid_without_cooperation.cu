// grid.sync() in a kernel that is launched as any other.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void both(int* out) {
  out[blockIdx.x] = 1;
  cg::this_grid().sync();  // <-- fault
  out[2 + blockIdx.x] = out[1 - blockIdx.x];
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 4 * sizeof(int));
#ifdef RIGHT
  void* arguments[] = {&out};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(both), dim3(2), dim3(1), arguments, 0, nullptr);
#else
  both<<<2, 1>>>(out);
#endif
  cudaDeviceSynchronize();
  cudaFree(out);
}
