// The grid is rounded up, and nobody asks whether a thread still has an element.
__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef RIGHT
  if (i < n)
#endif
    out[i] = n;  // <-- fault
}

int main() {
  constexpr int n = 1000;
  int* out = nullptr;
  cudaMalloc(&out, n * sizeof(int));
  fill<<<(n + 127) / 128, 128>>>(out, n);
  cudaDeviceSynchronize();
  cudaFree(out);
}
