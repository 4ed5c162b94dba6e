// Vectors of 16 bytes are assigned by a function of the headers, under clang: the line is the program's.
__global__ void shift(float4* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = x[(i + 32) % 128];
}

int main() {
  float4* x = nullptr;
  cudaMalloc(&x, 128 * sizeof(float4));
  cudaMemset(x, 0, 64 * sizeof(float4));
  cudaMemset(x + 64, 1, 64 * sizeof(float4));
  shift<<<4, 32>>>(x);
  return cudaDeviceSynchronize();
}
