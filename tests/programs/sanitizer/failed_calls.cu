// Calls whose status nobody looks at.
int main() {
  int host[64] = {};
  int *memory = nullptr, *small = nullptr;
  cudaMalloc(&memory, sizeof host);
  cudaMalloc(&small, 16);
#ifndef RIGHT
  cudaMemcpy(small, host, sizeof host, cudaMemcpyHostToDevice);  // <-- memcheck
#endif
  cudaFree(small);
  cudaFree(memory);
#ifndef RIGHT
  cudaFree(memory);  // <-- memcheck
#endif
  return host[0];
}
