#pragma once
// A case is one launch of a small kernel: what is measured on a card and estimated by the simulator.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#define CHECKED(call)                                                                              \
  do {                                                                                             \
    const cudaError_t status_ = (call);                                                            \
    if (status_ != cudaSuccess) {                                                                  \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));        \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

struct Case {
  std::string family, name;
  dim3 grid, block;
  std::function<void()> launch;
};

/// Memory that all cases share. On a card it is filled once; what it holds matters to few of them.
struct Pool {
  static constexpr int kFloats = 1 << 24;  ///< of each array
  float *a = nullptr, *b = nullptr, *c = nullptr;
  int* index = nullptr;  ///< kFloats numbers below kFloats, as if drawn
  int* chain = nullptr;  ///< 2^20: chain[i] is the next place of a walk through all of them, 33 apart
  int* counters = nullptr;
  int* flags = nullptr;  ///< 2^16 zeros, which who changes them sets back
};

class Cases {
 public:
  explicit Cases(const Pool& pool) : pool(pool) {}
  template <class... P, class... A>
  void add(const std::string& name, dim3 grid, dim3 block, std::size_t shared, void (*kernel)(P...), A... arguments) {
    list.push_back({family, name, grid, block, [=] { kernel<<<grid, block, shared>>>(P(arguments)...); }});
    if (shared > 48 * 1024)
      CHECKED(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
  }
  const Pool& pool;
  std::string family;
  std::vector<Case> list;
};

inline unsigned blocks_for(long long threads, int block) { return static_cast<unsigned>((threads + block - 1) / block); }
