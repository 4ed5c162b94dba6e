// Two branches of a graph, one of which reads what the other writes.
#include "common.cuh"

int main() {
  int *a = on_card(), *b = on_card();
  cudaStream_t first = new_stream(), second = new_stream();
  cudaEvent_t forked = new_event(), joined = new_event();
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
#ifndef RIGHT
  cudaEventRecord(forked, first);
#endif
  fill<<<kBlocks, kThreads, 0, first>>>(a, 1);
#ifdef RIGHT
  cudaEventRecord(forked, first);
#endif
  cudaStreamWaitEvent(second, forked);
  add<<<kBlocks, kThreads, 0, second>>>(a, b, 1);
  cudaEventRecord(joined, second);
  cudaStreamWaitEvent(first, joined);
  cudaGraph_t graph;
  cudaStreamEndCapture(first, &graph);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, first);  // <-- streamcheck
  return expect(b, 2);
}
