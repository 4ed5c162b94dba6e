#pragma once
// Runs one rung of the ladder of transposes: SIZE x SIZE elements, row-major, in blocks of 32x8 threads that
// each move four elements. Some rungs only copy: the limit of what a transpose can reach.
//
// A rung has: name, transposes, and run(in, out, n).

#include <vector>

#include "../../ladder/harness.cuh"

namespace ladder {

inline constexpr int kTile = 32, kRows = 8;

template <class Rung, class T>
int move(const Options& options) {
  const int n = options.size;
  const size_t count = static_cast<size_t>(n) * n;
  std::vector<T> from(count), to(count);
  for (size_t i = 0; i < count; ++i) from[i] = static_cast<T>(i % 8388593);
  T* const in = device_array<T>(count);
  T* const out = device_array<T>(count);
  check(cudaMemcpy(in, from.data(), count * sizeof(T), cudaMemcpyHostToDevice), "copying the matrix");
  const int tiles = (n + kTile - 1) / kTile;
  const float ms = best_time(
      options.repetitions, [] {}, [&] { Rung::run(dim3(tiles, tiles), dim3(kTile, kRows), in, out, n); });
  check(cudaGetLastError(), "the launch");
  check(cudaMemcpy(to.data(), out, count * sizeof(T), cudaMemcpyDeviceToHost), "the kernel");
  check(cudaFree(in), "cudaFree");
  check(cudaFree(out), "cudaFree");
  bool right = true;
  for (size_t y = 0; y < n; ++y) {
    for (size_t x = 0; x < n; ++x) {
      if (to[y * n + x] != (Rung::transposes ? from[x * n + y] : from[y * n + x])) right = false;
    }
  }
  return report(Rung::name, options, ms, right);
}

template <class Rung>
int transpose(int argc, char** argv) {
  const Options options = read_options(argc, argv, 1024, "float");
  return with_type(options, [&](auto type) { return move<Rung, decltype(type)>(options); });
}

}  // namespace ladder
