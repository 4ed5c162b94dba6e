// The stack of a thread: 1024 bytes by default. It bounds recursion and calls through pointers. Arrays of a
// kernel whose calls are known may be larger, because the driver knows their size.
#include <cstdio>
#include <cstdlib>

__host__ __device__ __noinline__ unsigned mixed(unsigned n) {
  if (n == 0) return 7;
  const unsigned below = mixed(n - 1);  // <-- here
  return below ^ (below << 1) ^ n;
}

__global__ void recursive(unsigned depth, unsigned* out) { *out = mixed(depth); }

__device__ __noinline__ int fill(int* values, int count) {
  for (int i = 0; i < count; ++i) values[(i * 7) % count] = i;
  return values[3];
}

__global__ void large_frame(int count, unsigned* out) {
  int values[1000];
  *out = fill(values, count) + values[count - 1];
}

// Usage: stack.cu DEPTH [BYTES]
int main(int argc, char** argv) {
  const unsigned depth = argc > 1 ? std::atoi(argv[1]) : 10;
  unsigned* out;
  cudaMallocManaged(&out, sizeof *out);
  size_t limit = 0;
  large_frame<<<1, 1>>>(1000, out);
  std::printf("large frame: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  if (argc > 2)
    std::printf("set: %s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitStackSize, std::atoi(argv[2]))));
  cudaDeviceGetLimit(&limit, cudaLimitStackSize);
  std::printf("stack: %zu\n", limit);
  *out = 0;
  recursive<<<1, 1>>>(depth, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s %s\n", cudaGetErrorName(error), *out == mixed(depth) ? "right" : "wrong");
  cudaFree(out);
}
