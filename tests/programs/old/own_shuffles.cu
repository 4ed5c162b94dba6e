// Shuffles of a program's own, by the names that CUDA had: they go first, and call CUDA's for their parts.
#include <cstdio>

struct Pair {
  int low, high;
};

__device__ Pair __shfl_down(Pair value, unsigned delta, int width = 32) {
  Pair moved;
  moved.low = __shfl_down(value.low, delta, width);
  moved.high = __shfl_down(value.high, delta, width);
  return moved;
}

template <class T>
__device__ T __shfl_up(T value, unsigned delta, int width = 32) {
  T moved;
  const int* from = reinterpret_cast<const int*>(&value);
  int* to = reinterpret_cast<int*>(&moved);
  for (unsigned i = 0; i < sizeof(T) / sizeof(int); ++i)
    to[i] = __shfl(from[i], int(threadIdx.x % width) - int(delta), width);
  return moved;
}

__global__ void move(Pair* pairs) {
  Pair mine;
  mine.low = threadIdx.x;
  mine.high = 100 * threadIdx.x;
  Pair down = __shfl_down(mine, 3), up = __shfl_up(mine, 2);
  if (threadIdx.x == 10) {
    pairs[0] = down;
    pairs[1] = up;
  }
}

int main() {
  Pair host[2], *device;
  cudaMalloc((void**)&device, sizeof host);
  move<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %d\n", host[0].low, host[0].high, host[1].low, host[1].high);
}
