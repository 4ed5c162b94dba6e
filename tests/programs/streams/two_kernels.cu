// A kernel reads on one stream what another one writes on another.
#include "common.cuh"

int main() {
  int *a = on_card(), *b = on_card();
  cudaStream_t first = new_stream(), second = new_stream();
  fill<<<kBlocks, kThreads, 0, first>>>(a, 3);
#ifdef RIGHT
  cudaEvent_t filled = new_event();
  cudaEventRecord(filled, first);
  cudaStreamWaitEvent(second, filled);
#endif
  add<<<kBlocks, kThreads, 0, second>>>(a, b, 4);  // <-- streamcheck
  return expect(b, 7);
}
