// Everything is freed, by itself or by a reset.
int main() {
  void *a = nullptr, *b = nullptr;
  cudaMalloc(&a, 4000);
  cudaFree(a);
  cudaFree(nullptr);
  cudaMalloc(&b, 100);
  cudaFree(b);
  return cudaDeviceSynchronize();
}
