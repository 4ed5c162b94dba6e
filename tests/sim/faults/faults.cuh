#pragma once
#include <cstdio>
/// What the program itself is told; the grader's own report follows on stderr.
inline int told(cudaError_t status = cudaDeviceSynchronize()) {
  std::printf("%s\n", cudaGetErrorName(status));
  return 0;
}
