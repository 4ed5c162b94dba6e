// A function for host and device waits: nvcc 13 only warns that the device's half cannot.

#include <cstdio>

__host__ __device__ void wait() { cudaDeviceSynchronize(); }

__global__ void add(int* sum) { *sum += 1; }

__global__ void parent(int* sum) {
  add<<<1, 1>>>(sum);
  wait();
  *sum *= 10;
}

int main() {
  int* sum = nullptr;
  if (cudaMallocManaged(&sum, sizeof(int)) != cudaSuccess) return 1;
  *sum = 0;
  parent<<<1, 1>>>(sum);
  wait();
  std::printf("%d\n", *sum);
  cudaFree(sum);
}
