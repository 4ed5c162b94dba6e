// The host frees a buffer that it has registered before the copy from it has ended.
#include "common.cuh"

#include <cstdlib>

int main() {
  int *a = on_card(), *host = static_cast<int*>(std::aligned_alloc(4096, kBytes));
  for (int i = 0; i < kCount; ++i) host[i] = 1;
  cudaHostRegister(host, kBytes, cudaHostRegisterDefault);
  cudaStream_t stream = new_stream();
  cudaMemcpyAsync(a, host, kBytes, cudaMemcpyHostToDevice, stream);
#ifdef RIGHT
  cudaStreamSynchronize(stream);
  cudaHostUnregister(host);
#endif
  std::free(host);  // <-- streamcheck
  return expect(a, 1);
}
