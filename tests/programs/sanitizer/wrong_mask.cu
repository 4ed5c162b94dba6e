// The upper lanes call with a mask that names some of the lower ones.
__global__ void halves(int* out) {
  const int t = threadIdx.x;
  out[t] = t;
  if (t < 16) {
    __syncwarp(0x0000ffff);
  } else {
#ifdef RIGHT
    __syncwarp(0xffff0000);
#else
    __syncwarp(0x000000ff);  // <-- synccheck
#endif
  }
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(int));
  halves<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
