// The event is recorded before what it should stand for.
#include "common.cuh"

int main() {
  int *a = on_card(), *b = on_card();
  cudaStream_t first = new_stream(), second = new_stream();
  cudaEvent_t filled = new_event();
#ifndef RIGHT
  cudaEventRecord(filled, first);
#endif
  fill<<<kBlocks, kThreads, 0, first>>>(a, 3);
#ifdef RIGHT
  cudaEventRecord(filled, first);
#endif
  cudaStreamWaitEvent(second, filled);
  add<<<kBlocks, kThreads, 0, second>>>(a, b, 4);  // <-- streamcheck
  return expect(b, 7);
}
