// Memory of cudaMallocAsync() is used on a stream that has not waited for it.
#include "common.cuh"

int main() {
  cudaStream_t first = new_stream(), second = new_stream();
  int *pooled = nullptr, *b = on_card();
  cudaMallocAsync(&pooled, kBytes, first);
#ifdef RIGHT
  cudaEvent_t there = new_event();
  cudaEventRecord(there, first);
  cudaStreamWaitEvent(second, there);
#endif
  fill<<<kBlocks, kThreads, 0, second>>>(pooled, 1);  // <-- streamcheck
  add<<<kBlocks, kThreads, 0, second>>>(pooled, b, 1);
  cudaFreeAsync(pooled, second);
  return expect(b, 2);
}
