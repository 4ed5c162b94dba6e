#pragma once

#include <vector>

#include "../ladder/harness.cuh"

template <class Rung>
int doubling(int argc, char** argv) {
  const ladder::Options options = ladder::read_options(argc, argv, 4096, "float");
  return ladder::with_type(options, [&](auto type) {
    using T = decltype(type);
    const int n = options.size;
    std::vector<T> host(n);
    for (int i = 0; i < n; ++i) host[i] = static_cast<T>(i);
    T* const in = ladder::device_array<T>(n);
    T* const out = ladder::device_array<T>(n);
    cudaMemcpy(in, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, n * sizeof(T));
    const float ms = ladder::best_time(
        options.repetitions, [] {}, [&] { Rung::run(in, out, n); });
    cudaMemcpy(host.data(), out, n * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && host[i] == static_cast<T>(2 * i);
    return ladder::report(Rung::name, options, ms, right);
  });
}
