// Kernels that ask for much memory of whoever simulates them.
#include <cstdio>

extern "C" __global__ void many_locals(int* out, int n) {
  volatile int mine[16384];
  for (int i = 0; i < n; ++i) mine[i] = i;
  if (threadIdx.x == 0) out[blockIdx.x] = mine[blockIdx.x];
}

extern "C" __global__ void many_words(int* out, int n) {
  for (int i = 0; i < n; ++i) printf("block %6d line %6d                                             \n", blockIdx.x, i);
}
