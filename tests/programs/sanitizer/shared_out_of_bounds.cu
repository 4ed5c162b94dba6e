// The launch gives a byte for each thread, and the kernel takes a word.
#ifdef RIGHT
constexpr int kBytes = 4;
#else
constexpr int kBytes = 1;
#endif

__global__ void turn(int* out) {
  extern __shared__ int words[];
  words[threadIdx.x] = threadIdx.x;  // <-- fault
  __syncthreads();
  out[threadIdx.x] = words[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 256 * sizeof(int));
  turn<<<1, 256, 256 * kBytes>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
