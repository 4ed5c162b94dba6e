// Two allocations that nobody frees.
int main() {
  void *a = nullptr, *b = nullptr, *c = nullptr;
  cudaMalloc(&a, 4000);
  cudaMalloc(&b, 100);
  cudaMalloc(&c, 50);
  cudaFree(b);
  return cudaDeviceSynchronize();
}
