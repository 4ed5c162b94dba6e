// Memory of cudaMallocAsync() is freed on one stream while another may still use it.
#include "common.cuh"

int main() {
  cudaStream_t first = new_stream(), second = new_stream();
  int *pooled = nullptr, *b = on_card();
  cudaMallocAsync(&pooled, kBytes, first);
  fill<<<kBlocks, kThreads, 0, first>>>(pooled, 1);
  cudaEvent_t filled = new_event(), used = new_event();
  cudaEventRecord(filled, first);
  cudaStreamWaitEvent(second, filled);
  add<<<kBlocks, kThreads, 0, second>>>(pooled, b, 1);
  cudaEventRecord(used, second);
#ifdef RIGHT
  cudaStreamWaitEvent(first, used);
#endif
  cudaFreeAsync(pooled, first);  // <-- streamcheck
  return expect(b, 2);
}
