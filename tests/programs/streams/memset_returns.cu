// cudaMemset() of the card's memory does not keep the host, whatever its name says.
#include "common.cuh"

int main() {
  int *a = on_card(), *b = on_card();
  cudaStream_t stream = new_stream(cudaStreamNonBlocking);
  cudaMemset(a, 1, kBytes);
#ifdef RIGHT
  cudaStreamSynchronize(0);
#endif
  add<<<kBlocks, kThreads, 0, stream>>>(a, b, 1);  // <-- streamcheck
  return expect(b, 0x01010102);
}
