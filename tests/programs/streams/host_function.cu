// A host function reads what a copy on another stream brings.
#include "common.cuh"

static void look(void* data) {
  const int* const host = static_cast<const int*>(data);
  puts(host[7] == 9 ? "right" : "wrong");  // <-- streamcheck
}

int main() {
  int *a = on_card(), *host = page_locked();
  cudaStream_t first = new_stream(), second = new_stream();
  fill<<<kBlocks, kThreads, 0, first>>>(a, 9);
  cudaMemcpyAsync(host, a, kBytes, cudaMemcpyDeviceToHost, first);
#ifdef RIGHT
  second = first;
#endif
  cudaLaunchHostFunc(second, look, host);
  cudaDeviceSynchronize();
}
