// The host fills a buffer anew before the copy from it has ended.
#include "common.cuh"

int main() {
  int *a = on_card(), *host = page_locked(1);
  cudaStream_t stream = new_stream();
  cudaMemcpyAsync(a, host, kBytes, cudaMemcpyHostToDevice, stream);
#ifdef RIGHT
  cudaEvent_t copied = new_event();
  cudaEventRecord(copied, stream);
  while (cudaEventQuery(copied) == cudaErrorNotReady) {
  }
#endif
  for (int i = 0; i < kCount; ++i)
    host[i] = 2;  // <-- streamcheck
  return expect(a, 1);
}
