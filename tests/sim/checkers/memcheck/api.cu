// Calls that fail and whose status nobody looks at.
#include <cuda_runtime.h>

int main() {
  int host[64] = {};
  int *twice, *small;
  cudaMalloc(&twice, sizeof host);
  cudaMalloc(&small, 16);
  cudaFree(twice);
  cudaFree(twice);
  cudaMemcpy(small, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(small, 0, 17);
  cudaFree(small + 1);
  cudaFree(small);
  return 0;
}
