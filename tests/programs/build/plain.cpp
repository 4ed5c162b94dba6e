// No device code, but CUDA's runtime.
#include <cuda_runtime.h>

bool to_host(int* to, const int* from) {
  return cudaMemcpy(to, from, sizeof *to, cudaMemcpyDeviceToHost) == cudaSuccess;
}
