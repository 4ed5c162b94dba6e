// A thread's own array, by an index that the host gives.
__global__ void pick(int* out, int first) {
  int own[64];
  for (int i = 0; i < 64; ++i) own[i] = i * first;
  own[first + threadIdx.x] = 1;  // <-- fault
  for (int i = 0; i < 64; ++i) out[threadIdx.x] += own[(i * 7 + first) % 64];
}

int main() {
#ifdef RIGHT
  const int first = 32;
#else
  const int first = 4096;
#endif
  int* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(out, 0, 32 * sizeof(int));
  pick<<<1, 32>>>(out, first);
  cudaDeviceSynchronize();
  cudaFree(out);
}
