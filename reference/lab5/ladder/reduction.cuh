#pragma once
// Runs one rung of the ladder of sums: SIZE elements, a partial sum a block, the same kernel again on the partial sums
// until one is left (or, where the rung says so, the partial sums are added by the CPU). The elements are small whole
// numbers, so that the sum is exact in every type.
//
// A rung has: name, finish_on_cpu, elements(n) = how many elements of n one block takes, and pass(in, out, n, blocks).

#include <vector>

#include "../../ladder/harness.cuh"

namespace ladder {

inline constexpr int kThreads = 512;  ///< a block, in every rung

template <class Rung>
int blocks_for(int n) {
  const long long each = Rung::elements(n);
  return static_cast<int>((n + each - 1) / each);
}

template <class Rung, class T>
T sum_on_device(const T* in, T* out, int n) {
  if constexpr (Rung::finish_on_cpu) {
    const int blocks = blocks_for<Rung>(n);
    Rung::pass(in, out, n, blocks);
    std::vector<T> partial(blocks);
    check(cudaMemcpy(partial.data(), out, blocks * sizeof(T), cudaMemcpyDeviceToHost), "the kernel");
    T sum = 0;
    for (const T x : partial) sum += x;
    return sum;
  } else {
    do {
      const int blocks = blocks_for<Rung>(n);
      Rung::pass(in, out, n, blocks);
      in = out;
      out += blocks;
      n = blocks;
    } while (n > 1);
    T sum = 0;
    check(cudaMemcpy(&sum, in, sizeof(T), cudaMemcpyDeviceToHost), "the kernel");
    return sum;
  }
}

template <class Rung, class T>
int sum_of(const Options& options) {
  const int n = options.size;
  std::vector<T> values(n);
  long long wanted = 0;
  for (int i = 0; i < n; ++i) {
    const int value = static_cast<int>((i * 7LL + i / 5) % 13) - 6;
    values[i] = static_cast<T>(value);
    wanted += value;
  }
  T* const in = device_array<T>(n);
  T* const partial = device_array<T>(static_cast<size_t>(n) / 256 + 1024);
  check(cudaMemcpy(in, values.data(), n * sizeof(T), cudaMemcpyHostToDevice), "copying the elements");
  T sum = 0;
  const float ms = best_time(
      options.repetitions, [] {}, [&] { sum = sum_on_device<Rung>(in, partial, n); });
  check(cudaFree(in), "cudaFree");
  check(cudaFree(partial), "cudaFree");
  return report(Rung::name, options, ms, sum == static_cast<T>(wanted));
}

template <class Rung>
int reduction(int argc, char** argv) {
  const Options options = read_options(argc, argv, 1 << 20, "float");
  if (std::strcmp(options.type, "int") == 0) return sum_of<Rung, int>(options);
  if (std::strcmp(options.type, "double") == 0) return sum_of<Rung, double>(options);
  return sum_of<Rung, float>(options);
}

}  // namespace ladder
