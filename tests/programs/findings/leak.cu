// An allocation that nobody frees, and one freed that is none.
void* scratch(int bytes) {
  void* memory = nullptr;
  cudaMalloc(&memory, bytes);
  return memory;
}

int main() {
  void* kept = scratch(4000);
  cudaFree(scratch(100));
  cudaFree(reinterpret_cast<void*>(0x1000));
  return kept == nullptr;
}
