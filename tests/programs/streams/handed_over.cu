// The host writes a buffer to a file before the copy to it has ended.
#include "common.cuh"

int main() {
  int *a = on_card(), *host = page_locked();
  cudaStream_t stream = new_stream();
  fill<<<kBlocks, kThreads, 0, stream>>>(a, 9);
  cudaMemcpyAsync(host, a, kBytes, cudaMemcpyDeviceToHost, stream);
#ifdef RIGHT
  cudaStreamSynchronize(stream);
#endif
  FILE* const file = tmpfile();
  fwrite(host, 1, kBytes, file);  // <-- streamcheck
  rewind(file);
  int first = 0;
  puts(fread(&first, sizeof first, 1, file) == 1 && first == 9 ? "right" : "wrong");
  fclose(file);
  cudaDeviceSynchronize();
}
