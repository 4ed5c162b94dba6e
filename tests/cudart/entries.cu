// A submission with entries of every kind of end.
#include <cstdio>
#include <cstdlib>

__global__ void fill(float* out, int n, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}
__global__ void endless(volatile int* out) {
  while (true) *out += 1;
}
__global__ void outside(float* out) { out[1000000] = 1; }

void good(float* out, int n, float value) {
  fill<<<(n + 31) / 32, 32>>>(out, n, value);
  printf("filled %d\n", n);
}
void leaves(float*, int, float) { exit(0); }
void crashes(float*, int, float) { abort(); }
void spins_on_host(float*, int, float) {
  for (volatile int i = 0;; i = i + 1) {
  }
}
void spins_on_device(float* out, int, float) { endless<<<1, 1>>>(reinterpret_cast<int*>(out)); }
void faults(float* out, int, float) { outside<<<1, 1>>>(out); }
void ignores(float* out, int n, float value) { fill<<<1, 2048>>>(out, n, value); }
void unsupported(float*, int, float) {
  cudaIpcMemHandle_t handle;
  cudaIpcGetMemHandle(&handle, nullptr);
  cudaIpcGetMemHandle(&handle, nullptr);
}
