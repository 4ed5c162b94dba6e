// cudaMemcpy() from memory that is not page-locked may return before the card has the data.
#include "common.cuh"

int main() {
  int *a = on_card(), *b = on_card();
#ifdef RIGHT
  int* host = page_locked(5);
#else
  static int host[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = 5;
#endif
  cudaStream_t stream = new_stream(cudaStreamNonBlocking);
  cudaMemcpy(a, host, kBytes, cudaMemcpyHostToDevice);
  add<<<kBlocks, kThreads, 0, stream>>>(a, b, 1);  // <-- streamcheck
  return expect(b, 6);
}
