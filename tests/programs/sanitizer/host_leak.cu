// An allocation in a function that the program calls twice, and frees once.
static float* scratch(int n) {
  float* memory = nullptr;
  cudaMalloc(&memory, n * sizeof(float));  // <-- memcheck
  return memory;
}

int main() {
  float* first = scratch(100);
  float* second = scratch(1000);
  cudaFree(first);
#ifdef RIGHT
  cudaFree(second);
#endif
  return second == nullptr;
}
