// The host reads a page-locked buffer before the copy to it has ended.
#include "common.cuh"

int main() {
  int *a = on_card(), *host = page_locked();
  cudaStream_t stream = new_stream();
  fill<<<kBlocks, kThreads, 0, stream>>>(a, 9);
  cudaMemcpyAsync(host, a, kBytes, cudaMemcpyDeviceToHost, stream);
#ifdef RIGHT
  cudaStreamSynchronize(stream);
#endif
  int sum = 0;
  for (int i = 0; i < kCount; ++i)
    sum += host[i];  // <-- streamcheck
  puts(sum == 9 * kCount ? "right" : "wrong");
}
