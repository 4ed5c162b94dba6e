// What a lecture on the memory hierarchy measures: a chain of loads that depend on each other, and bank conflicts.
#include <cstdio>
#include <vector>

constexpr int kLoads = 512;

__global__ void chase(const int* next, int warm, long long* clocks, int* sink) {
  int at = 0;
  for (int i = 0; i < warm; ++i) at = next[at];
  const long long begin = clock64();
  for (int i = 0; i < kLoads; ++i) at = next[at];
  *sink = at;
  *clocks = clock64() - begin;
}
__global__ void chase_shared(long long* clocks, int* sink) {
  __shared__ int next[256];
  for (int i = threadIdx.x; i < 256; i += 32) next[i] = (i + 17) % 256;
  __syncthreads();
  int at = threadIdx.x;
  const long long begin = clock64();
  for (int i = 0; i < kLoads; ++i) at = next[at];
  sink[threadIdx.x] = at;
  const long long end = clock64();
  if (threadIdx.x == 0) *clocks = end - begin;
}
__global__ void conflicts(int stride, long long* clocks, int* sink) {
  __shared__ volatile int data[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) data[i] = i;
  __syncthreads();
  int sum = 0;
  const long long begin = clock64();
#pragma unroll
  for (int i = 0; i < 64; ++i) sum += data[(threadIdx.x * stride + i) % 1024];
  const long long end = clock64();
  sink[threadIdx.x] = sum;
  if (threadIdx.x == 0) *clocks = end - begin;
}

int main() {
  long long* clocks;
  int* sink;
  cudaMallocManaged(&clocks, sizeof *clocks);
  cudaMallocManaged(&sink, 32 * sizeof(int));
  const auto show = [&](const char* what, int number, long long less, int loads) {
    cudaDeviceSynchronize();
    std::printf("%s %d: %.0f\n", what, number, static_cast<double>(*clocks - less) / loads);
  };
  for (const int kilobytes : {64, 1024, 16384}) {
    const int count = kilobytes * 256, stride = 32;
    std::vector<int> order(count);
    for (int i = 0; i < count; ++i) order[i] = (i + stride) % count;
    int* next;
    cudaMalloc(&next, count * sizeof(int));
    cudaMemcpy(next, order.data(), count * sizeof(int), cudaMemcpyHostToDevice);
    chase<<<1, 1>>>(next, kilobytes > 1024 ? 0 : count / stride, clocks, sink);
    show("KiB", kilobytes, 0, kLoads);
    cudaFree(next);
  }
  chase_shared<<<1, 32>>>(clocks, sink);
  show("shared", 1, 0, kLoads);
  long long without = 0;
  for (const int stride : {1, 2, 8, 32}) {
    conflicts<<<1, 32>>>(stride, clocks, sink);
    cudaDeviceSynchronize();
    if (stride == 1) without = *clocks;
    show("conflicts by stride", stride, without, 64);
  }
  cudaFree(clocks);
  cudaFree(sink);
}
