// The order of what kernels put on the device, and what the device's runtime answers.
#include <cstdio>

__global__ void add(int* log, int what) { log[atomicAdd(log, 1) + 1] = what; }
template <int kFactor>
__global__ void scale(int* values) {
  values[blockIdx.x * blockDim.x + threadIdx.x] *= kFactor;
}
__global__ void later(int* log);
extern __global__ void elsewhere(int* log, double x, char c);

__global__ void middle(int* log) {
  add<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 5);  // when this grid and its children are done
  add<<<1, 1>>>(log, 3);
  add<<<1, 1>>>(log, 4);
}

__global__ void parent(int* log, int* values) {
  if (threadIdx.x != 0) return;
  later<<<1, 1, 0, cudaStreamTailLaunch>>>(log);
  add<<<1, 1>>>(log, 1);
  elsewhere<<<1, 1>>>(log, 2.0, 'x');
  middle<<<1, 1>>>(log);
  add<<<1, 1>>>(log, 6);
  cudaMemsetAsync(values + 32, 1, 32 * sizeof(int), nullptr);
  cudaMemcpyAsync(values, values + 32, 32 * sizeof(int), cudaMemcpyDeviceToDevice, nullptr);
  scale<3><<<2, 16, 128>>>(values);

  int device = 7, count = 7;
  const cudaError_t fine = cudaGetDevice(&device);
  cudaGetDeviceCount(&count);
  int* own = nullptr;
  const cudaError_t allocated = cudaMalloc(&own, 64);
  own[3] = 3;
  const cudaError_t freed = cudaFree(own);
  cudaEvent_t event;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  cudaEventRecord(event, nullptr);
  cudaStreamWaitEvent(nullptr, event, 0);
  cudaEventDestroy(event);
  printf("device %d of %d: %d %d %d, %s\n", device, count, fine, allocated, freed,
         cudaGetErrorString(cudaGetLastError()));
  add<<<1, 2048>>>(log, 9);
  printf("%s, %s, then %s\n", cudaGetErrorName(cudaPeekAtLastError()), cudaGetErrorString(cudaGetLastError()),
         cudaGetErrorName(cudaGetLastError()));
}

__global__ void later(int* log) { add<<<1, 1>>>(log, 7); }

int main() {
  int *log, *values, host[16], scaled[32];
  cudaMalloc(&log, sizeof host);
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMemset(log, 0, sizeof host);
  cudaMemset(values, 0, 64 * sizeof(int));
  parent<<<1, 32>>>(log, values);
  cudaMemcpy(host, log, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(scaled, values, sizeof scaled, cudaMemcpyDeviceToHost);
  for (int i = 0; i < host[0]; ++i) printf("%d ", host[i + 1]);
  printf("\nvalues %#x %#x\n", scaled[0], scaled[31]);
  return 0;
}
