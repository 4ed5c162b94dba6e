#pragma once
// Runs one rung of the ladder of sums in place in global memory: every block overwrites its part of the array
// with partial sums, and the CPU adds what the blocks leave. Where a block takes several parts, SIZE is a
// multiple of 8 x 512; else the array ends in zeros up to a whole block, which the course's kernels read.
//
// A rung has: name, unroll = parts of 512 elements that one block takes, and pass(data, out, n, blocks).
// The kernels are as the course teaches them: some threads return before a barrier that the others reach, and
// the last warp is taken to run in step.

#include "../../../ladder/sums.cuh"

namespace ladder {

template <class Rung, class T>
int sum_in_place(const Options& options) {
  constexpr int kEach = kThreads * Rung::unroll;
  const int n = options.size, blocks = (n + kEach - 1) / kEach;
  const size_t padded = static_cast<size_t>(blocks) * kEach;
  const Elements<T> elements(n, padded);
  std::vector<T> partial(blocks);
  T* const data = device_array<T>(padded);
  T* const out = device_array<T>(blocks);
  const float ms = best_time(
      options.repetitions,
      [&] {
        check(cudaMemcpy(data, elements.values.data(), padded * sizeof(T), cudaMemcpyHostToDevice),
              "copying the elements");
      },
      [&] { Rung::pass(data, out, n, blocks); });
  check(cudaMemcpy(partial.data(), out, blocks * sizeof(T), cudaMemcpyDeviceToHost), "the kernel");
  T sum = 0;
  for (const T x : partial) sum += x;
  check(cudaFree(data), "cudaFree");
  check(cudaFree(out), "cudaFree");
  return report(Rung::name, options, ms, sum == elements.sum);
}

template <class Rung>
int reduction_in_place(int argc, char** argv) {
  const Options options = read_options(argc, argv, 1 << 20, "int");
  if (Rung::unroll > 1 && options.size % (8 * kThreads) != 0) {
    std::fprintf(stderr, "the size must be a multiple of %d\n", 8 * kThreads);
    return 2;
  }
  return with_type(options, [&](auto type) { return sum_in_place<Rung, decltype(type)>(options); });
}

}  // namespace ladder
