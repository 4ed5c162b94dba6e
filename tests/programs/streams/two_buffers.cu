// A copy to the host's buffer while another copy still reads it.
#include "common.cuh"

int main() {
  int *a = on_card(), *b = on_card(), *host = page_locked(1);
  cudaStream_t in = new_stream(), out = new_stream();
  fill<<<kBlocks, kThreads, 0, out>>>(b, 2);
  cudaMemcpyAsync(a, host, kBytes, cudaMemcpyHostToDevice, in);
#ifdef RIGHT
  cudaStreamSynchronize(in);
#endif
  cudaMemcpyAsync(host, b, kBytes, cudaMemcpyDeviceToHost, out);  // <-- streamcheck
  return expect(a, 1);
}
