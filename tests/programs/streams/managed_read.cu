// The host looks at managed memory while a kernel writes it.
#include "common.cuh"

int main() {
  int* shared = nullptr;
  cudaMallocManaged(&shared, kBytes);
  for (int i = 0; i < kCount; ++i) shared[i] = 0;
  fill<<<kBlocks, kThreads>>>(shared, 4);
#ifdef RIGHT
  cudaDeviceSynchronize();
#endif
  puts(shared[kCount - 1] == 4 ? "right" : "wrong");  // <-- streamcheck
  cudaDeviceSynchronize();
}
