#pragma once
// Runs one rung of the ladder of sums in place in global memory: every block overwrites its part of the array with
// partial sums, and the CPU adds what the blocks leave. SIZE is a multiple of 8 x 512. The elements are small whole
// numbers, so that the sum is exact in every type.
//
// A rung has: name, unroll = parts of 512 elements that one block takes, and pass(data, out, n, blocks).
// The kernels are as the course teaches them: some threads return before a barrier that the others reach, and the last
// warp is taken to run in step.

#include <vector>

#include "../../../ladder/harness.cuh"

namespace ladder {

inline constexpr int kThreads = 512;  ///< a block, in every rung

template <class Rung, class T>
int sum_in_place(const Options& options) {
  const int n = options.size, blocks = n / kThreads / Rung::unroll;
  std::vector<T> values(n), partial(blocks);
  long long wanted = 0;
  for (int i = 0; i < n; ++i) {
    const int value = static_cast<int>((i * 7LL + i / 5) % 13) - 6;
    values[i] = static_cast<T>(value);
    wanted += value;
  }
  T* const data = device_array<T>(n);
  T* const out = device_array<T>(blocks);
  const float ms = best_time(
      options.repetitions,
      [&] { check(cudaMemcpy(data, values.data(), n * sizeof(T), cudaMemcpyHostToDevice), "copying the elements"); },
      [&] { Rung::pass(data, out, n, blocks); });
  check(cudaMemcpy(partial.data(), out, blocks * sizeof(T), cudaMemcpyDeviceToHost), "the kernel");
  T sum = 0;
  for (const T x : partial) sum += x;
  check(cudaFree(data), "cudaFree");
  check(cudaFree(out), "cudaFree");
  return report(Rung::name, options, ms, sum == static_cast<T>(wanted));
}

template <class Rung>
int reduction_in_place(int argc, char** argv) {
  const Options options = read_options(argc, argv, 1 << 20, "int");
  if (options.size % (8 * kThreads) != 0) {
    std::fprintf(stderr, "the size must be a multiple of %d\n", 8 * kThreads);
    return 2;
  }
  if (std::strcmp(options.type, "float") == 0) return sum_in_place<Rung, float>(options);
  if (std::strcmp(options.type, "double") == 0) return sum_in_place<Rung, double>(options);
  return sum_in_place<Rung, int>(options);
}

}  // namespace ladder
