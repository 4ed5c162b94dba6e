// Files with device code, one in C++ and one in C, headers in folders, macros from the command line.
#include <cstdio>
#include <deep.h>

#include "parts/parts.h"

// Two files may have a kernel and a variable of one name each: without -rdc=true nobody else sees them.
__constant__ int factor = FACTOR;
static __global__ void apply(int* x) { x[threadIdx.x] = factor * static_cast<int>(threadIdx.x); }

// A name that C++20's library takes.
int lerp(int a, int b) { return a + b; }

int main(int argc, char** argv) {
  int *device = nullptr, host[32];
  cudaMalloc(&device, sizeof host);
  apply<<<1, 32>>>(device);
  apply_there(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  using namespace std;
  printf("%d %d %d %d %d %s\n", host[31], devices_and(10), in_c(4), lerp(DEEP, 1), argc,
         argc > 1 ? argv[1] : "");
  cudaFree(device);
}
