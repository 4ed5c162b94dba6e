// A block of the kernel's heap that two threads think is theirs to free.
__global__ void heap(int* out) {
  __shared__ int* block;
  if (threadIdx.x == 0) {
    block = static_cast<int*>(malloc(4 * sizeof(int)));
    block[0] = 7;
  }
  __syncthreads();
  out[threadIdx.x] = block[0];
  __syncthreads();
#ifdef RIGHT
  if (threadIdx.x == 0)
#endif
    free(block);  // <-- fault
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 2 * sizeof(int));
  heap<<<1, 2>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
