// A kernel uses what an asynchronous copy on another stream brings.
#include "common.cuh"

int main() {
  int *a = on_card(), *b = on_card(), *host = page_locked(5);
  cudaStream_t copies = new_stream(), kernels = new_stream();
  cudaMemcpyAsync(a, host, kBytes, cudaMemcpyHostToDevice, copies);
#ifdef RIGHT
  cudaStreamSynchronize(copies);
#endif
  add<<<kBlocks, kThreads, 0, kernels>>>(a, b, 1);  // <-- streamcheck
  return expect(b, 6);
}
