#pragma once
// The helpers that programs of introductory books include as book.h.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

static void HandleError(cudaError_t error, const char* file, int line) {
  if (error == cudaSuccess) return;
  std::printf("%s in %s at line %d\n", cudaGetErrorString(error), file, line);
  std::exit(EXIT_FAILURE);
}
#define HANDLE_ERROR(call) (HandleError((call), __FILE__, __LINE__))
#define HANDLE_NULL(pointer)                                                    \
  {                                                                             \
    if ((pointer) == NULL) {                                                    \
      std::printf("Host memory failed in %s at line %d\n", __FILE__, __LINE__); \
      std::exit(EXIT_FAILURE);                                                  \
    }                                                                           \
  }

template <class T>
void swap(T& a, T& b) {
  T kept = a;
  a = b;
  b = kept;
}

static inline void* big_random_block(int bytes) {
  unsigned char* data = static_cast<unsigned char*>(std::malloc(static_cast<size_t>(bytes)));
  HANDLE_NULL(data);
  for (int i = 0; i < bytes; ++i) data[i] = static_cast<unsigned char>(std::rand());
  return data;
}
static inline int* big_random_block_int(int count) {
  int* data = static_cast<int*>(std::malloc(static_cast<size_t>(count) * sizeof(int)));
  HANDLE_NULL(data);
  for (int i = 0; i < count; ++i) data[i] = std::rand();
  return data;
}
