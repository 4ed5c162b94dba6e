#pragma once
// Runs one rung of the ladder of sums: SIZE elements, a partial sum a block, the same kernel again on the
// partial sums until one is left (or, where the rung says so, the partial sums are added by the CPU).
//
// A rung has: name, finish_on_cpu, elements(n) = how many elements of n one block takes, and pass(in, out, n,
// blocks).

#include "../../ladder/sums.cuh"

namespace ladder {

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
  const Elements<T> elements(n);
  T* const in = device_array<T>(n);
  T* const partial = device_array<T>(static_cast<size_t>(n) / 256 + 1024);
  check(cudaMemcpy(in, elements.values.data(), n * sizeof(T), cudaMemcpyHostToDevice), "copying the elements");
  T sum = 0;
  const float ms = best_time(
      options.repetitions, [] {}, [&] { sum = sum_on_device<Rung>(in, partial, n); });
  check(cudaFree(in), "cudaFree");
  check(cudaFree(partial), "cudaFree");
  return report(Rung::name, options, ms, sum == elements.sum);
}

template <class Rung>
int reduction(int argc, char** argv) {
  const Options options = read_options(argc, argv, 1 << 20, "float");
  return with_type(options, [&](auto type) { return sum_of<Rung, decltype(type)>(options); });
}

}  // namespace ladder
