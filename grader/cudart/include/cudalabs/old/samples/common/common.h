#pragma once
// What programs of books on CUDA C include as ../common/common.h.

#include <cuda_runtime.h>
#include <sys/time.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                    \
  {                                                                                    \
    const cudaError_t error = call;                                                    \
    if (error != cudaSuccess) {                                                        \
      std::fprintf(stderr, "Error: %s:%d, code: %d, reason: %s\n", __FILE__, __LINE__, \
                   static_cast<int>(error), cudaGetErrorString(error));                \
      std::exit(1);                                                                    \
    }                                                                                  \
  }

static inline double seconds() {
  struct timeval now;
  gettimeofday(&now, nullptr);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_usec) * 1e-6;
}
