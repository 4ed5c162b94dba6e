// With --default-stream per-thread the two threads' kernels are on streams of their own.
#include <thread>

#include "common.cuh"

int main() {
  int *a = on_card(), *b = on_card();
  std::thread([&] { fill<<<kBlocks, kThreads>>>(a, 1); }).join();
#ifdef RIGHT
  cudaDeviceSynchronize();
#endif
  add<<<kBlocks, kThreads>>>(a, b, 1);  // <-- streamcheck
  return expect(b, 2);
}
