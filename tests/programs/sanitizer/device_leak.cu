// What a kernel takes from its heap and does not give back.
__global__ void heap(int* out) {
  auto* block = static_cast<int*>(malloc(4 * sizeof(int)));  // <-- memcheck
  block[0] = threadIdx.x;
  out[threadIdx.x] = block[0];
#ifdef RIGHT
  free(block);
#endif
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 2 * sizeof(int));
  heap<<<1, 2>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
