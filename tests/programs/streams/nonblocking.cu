// A stream of cudaStreamNonBlocking does not wait for the default stream.
#include "common.cuh"

int main() {
  int *a = on_card(), *b = on_card();
#ifdef RIGHT
  cudaStream_t stream = new_stream();
#else
  cudaStream_t stream = new_stream(cudaStreamNonBlocking);
#endif
  fill<<<kBlocks, kThreads>>>(a, 1);
  add<<<kBlocks, kThreads, 0, stream>>>(a, b, 1);  // <-- streamcheck
  return expect(b, 2);
}
