// Kernels that launch kernels ask on which device they are (-rdc=true).
#include <cstdio>

__global__ void child(int* answers) {
  int device = -1, count = -1;
  cudaGetDevice(&device);
  cudaGetDeviceCount(&count);
  answers[0] = device;
  answers[1] = count;
}
__global__ void parent(int* answers) { child<<<1, 1>>>(answers); }

int main() {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  for (int device = 0; device < devices; ++device) {
    int* answers;
    int seen[2] = {-1, -1};
    cudaSetDevice(device);
    cudaMalloc(&answers, sizeof seen);
    parent<<<1, 1>>>(answers);
    cudaMemcpy(seen, answers, sizeof seen, cudaMemcpyDeviceToHost);
    std::printf("device %d of %d\n", seen[0], seen[1]);
    cudaFree(answers);
  }
}
