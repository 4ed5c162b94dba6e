#include <cstdio>
__constant__ float coeff[4];
__device__ int counter;
__global__ void scale(float* x) {
  x[threadIdx.x] *= coeff[threadIdx.x];
  atomicAdd(&counter, 1);
}
int main() {
  float c[4] = {1, 2, 3, 4}, *x;
  int n = 0;
  cudaMemcpyToSymbol("coeff", c, sizeof c);
  cudaMemcpyToSymbol("counter", &n, 4);
  cudaMalloc(&x, 16);
  cudaMemcpy(x, c, 16, cudaMemcpyHostToDevice);
  cudaConfigureCall(1, 4);
  cudaSetupArgument(&x, sizeof x, 0);
  cudaLaunch("scale");
  cudaMemcpy(c, x, 16, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&n, "counter", 4);
  printf("%g %g %g %g %d\n", c[0], c[1], c[2], c[3], n);
  printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol("nothing", c, 4)));
}
