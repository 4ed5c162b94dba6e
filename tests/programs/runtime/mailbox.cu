// A kernel that waits for the host's answer in mapped memory. A card would go on; here the two have a copy each
// while the kernel runs.
#include <cstdio>

__global__ void ask(volatile int* box) {
  box[0] = 1;
  __threadfence_system();
  while (box[1] == 0) {
  }
  box[2] = box[1] + 1;
}

int main() {
  int* box = nullptr;
  cudaHostAlloc(&box, 64, cudaHostAllocMapped);
  box[0] = box[1] = box[2] = 0;
  ask<<<1, 1>>>(box);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
