// The host takes more than the kernel has written.
__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
  int host[64];
  int* out = nullptr;
  cudaMalloc(&out, sizeof host);
#ifdef RIGHT
  fill<<<1, 64>>>(out);
#else
  fill<<<1, 32>>>(out);
#endif
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);  // <-- initcheck
  cudaFree(out);
  return host[0] - 1;
}
