// What printf() in a kernel returns, how many arguments it takes, and how many calls its buffer keeps.
#include <cstdio>
#include <cstdlib>

__global__ void say(int* returned) {
  returned[0] = printf("nothing to fill in, 100%%\n");
  returned[1] = printf("%d %s\n", 7, "seven");
  returned[2] = printf("%5.2f|%-6d|%+d|%#x|%.3e|%c|%lld|%08.3f|%*d|%%\n", 3.14159, 42, 5, 255, 12345.678, 'z',
                       -9000000000LL, -1.5, 4, 9);
  returned[3] = printf("%d%d%d%d%d%d%d%d %d%d%d%d%d%d%d%d %d%d%d%d%d%d%d%d %d%d%d%d%d%d%d%d %d|%*d|%%\n",  // <-- here
                       1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6,
                       7, 8, 33, 34, 35);
}

__global__ void rows() {
  printf("block %d, thread %d\n", blockIdx.x, threadIdx.x);
}

// Usage: printf.cu [rows [BYTES]]
int main(int argc, char** argv) {
  if (argc > 1) {
    if (argc > 2) cudaDeviceSetLimit(cudaLimitPrintfFifoSize, std::atoi(argv[2]));
    rows<<<16, 64>>>();
    rows<<<1, 1>>>();
    cudaDeviceSynchronize();
    std::printf("afterwards: %s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20)));
    return 0;
  }
  size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize);
  int *returned, host[4];
  cudaMalloc(&returned, sizeof host);
  say<<<1, 1>>>(returned);
  cudaMemcpy(host, returned, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("returned %d %d %d %d of %zu\n", host[0], host[1], host[2], host[3], limit);
  cudaFree(returned);
}
