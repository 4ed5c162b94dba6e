// A launch that is refused, and with an argument a kernel after it that faults.
__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main(int arguments, char**) {
  int* memory = nullptr;
  cudaMalloc(&memory, 64 * sizeof(int));
  fill<<<1, dim3(1, 1, 65)>>>(memory);
  if (arguments > 1) fill<<<1, 64>>>(memory + 1);
  cudaDeviceSynchronize();
  fill<<<1, 64>>>(memory);
  cudaFree(memory);
}
