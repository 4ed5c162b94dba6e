#pragma once
// What both ladders of sums share: the elements, one thread of the CPU, and the end of the tree.

#include <vector>

#include "harness.cuh"

namespace ladder {

inline constexpr int kThreads = 512;  ///< a block, in every rung

/// Small whole numbers, so that their sum is exact in every type; then zeros.
template <class T>
struct Elements {
  std::vector<T> values;
  T sum = 0;
  explicit Elements(int n) : Elements(n, n) {}
  Elements(int n, size_t padded) : values(padded) {
    long long total = 0;
    for (int i = 0; i < n; ++i) {
      const int value = static_cast<int>((i * 7LL + i / 5) % 13) - 6;
      values[i] = static_cast<T>(value);
      total += value;
    }
    sum = static_cast<T>(total);
  }
};

/// The rung of the CPU has: name, and run(data, n), which returns the sum and may use `data` up.
template <class Rung>
int sum_on_cpu(int argc, char** argv) {
  const Options options = read_options(argc, argv, 1 << 20, "float");
  return with_type(options, [&](auto type) {
    using T = decltype(type);
    const Elements<T> elements(options.size);
    std::vector<T> values;
    T sum = 0;
    const float ms = best_cpu_time(
        options.repetitions, [&] { values = elements.values; }, [&] { sum = Rung::run(values.data(), options.size); });
    return report(Rung::name, options, ms, sum == elements.sum);
  });
}

/// The last 64 sums of a block, by its first warp. As the course has them: no __syncwarp, the warp is taken
/// to run in step, and volatile keeps each sum in memory. Since Volta a warp need not run in step, so this is
/// a race. Corrected: nobody writes before all have read, and nobody reads before all have written.
template <class T>
__device__ void sum_last_warp(volatile T* data, unsigned tid) {
  if constexpr (kCorrected) {
    T sum = data[tid];
#pragma unroll
    for (unsigned distance = 32; distance > 0; distance /= 2) {
      sum += data[tid + distance];
      __syncwarp();
      data[tid] = sum;
      __syncwarp();
    }
  } else {
    data[tid] += data[tid + 32];
    data[tid] += data[tid + 16];
    data[tid] += data[tid + 8];
    data[tid] += data[tid + 4];
    data[tid] += data[tid + 2];
    data[tid] += data[tid + 1];
  }
}

}  // namespace ladder
