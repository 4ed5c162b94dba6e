// Parts of one sum on several streams, then a kernel that does not wait for them: one mistake, four times.
#include "common.cuh"

int main() {
  int *a = on_card(), *b = on_card();
  cudaStream_t streams[4], last = new_stream();
  for (cudaStream_t& stream : streams) stream = new_stream();
  for (int i = 0; i < 4; ++i)
    fill<<<kBlocks / 4, kThreads, 0, streams[i]>>>(a + i * kCount / 4, 1);
#ifdef RIGHT
  cudaDeviceSynchronize();
#endif
  add<<<kBlocks, kThreads, 0, last>>>(a, b, 1);  // <-- streamcheck
  cudaMemcpyAsync(a, b, kBytes, cudaMemcpyDeviceToDevice, last);
  return expect(a, 2);
}
