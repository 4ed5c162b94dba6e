// Too deep, too many, and a child that is wrong: with an argument one of them.
#include <cstdio>

__global__ void deeper(int* reached, int depth) {
  *reached = depth;
  deeper<<<1, 1>>>(reached, depth + 1);
}

__global__ void child(int* count) { atomicAdd(count, 1); }
__global__ void many(int* count, int launches) {
  for (int i = 0; i < launches; ++i) child<<<1, 1>>>(count);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

__global__ void chain(int* count) {
  if (atomicAdd(count, 1) < 99) chain<<<1, 1, 0, cudaStreamTailLaunch>>>(count);
}

__global__ void past(int* data) {
  data[threadIdx.x] = 1;  // <-- here
}
__global__ void wrong(int* data) { past<<<1, 32>>>(data); }

int main(int count, char** words) {
  const char what = count > 1 ? words[1][0] : 'n';
  int *data, host = 0;
  cudaMalloc(&data, 4);
  cudaMemset(data, 0, 4);
  if (what == 'd') deeper<<<1, 1>>>(data, 0);
  if (what == 'm' || what == 'l') {
    if (what == 'l') cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 70000);
    many<<<1, 1>>>(data, 65600);
  }
  if (what == 'c') chain<<<1, 1>>>(data);
  if (what == 'w') wrong<<<1, 1>>>(data);
  const cudaError_t end = cudaMemcpy(&host, data, 4, cudaMemcpyDeviceToHost);
  printf("%d %s\n", host, cudaGetErrorName(end));
  return 0;
}
