#pragma once
// Runs one rung of the ladder of matrix products: c = a b (or a aT) of SIZE x SIZE matrices, row-major, SIZE
// a multiple of 32, a[i][j] = 2 j + i, b[i][j] = j - i. Every element is compared with its closed form.
//
// A rung has: name, by_transposed, and run(a, b, c, n), as a template or for the one type that it takes.

#include <cmath>
#include <utility>
#include <vector>

#include "../../ladder/harness.cuh"

namespace ladder {

/// Sums over k < n of k and of k k.
struct Powers {
  double n, k, kk;
  explicit Powers(double count) : n(count), k(count * (count - 1) / 2), kk(count * (count - 1) * (2 * count - 1) / 6) {}
};

template <class T>
struct Matrices {
  std::vector<T> a, b, c;
  explicit Matrices(int n) : a(static_cast<size_t>(n) * n), b(a.size()), c(a.size()) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        a[static_cast<size_t>(i) * n + j] = static_cast<T>(2 * j + i);
        b[static_cast<size_t>(i) * n + j] = static_cast<T>(j - i);
      }
    }
  }
};

/// Any order of summation is within n units of rounding of the sum of the absolute products.
template <class T>
bool is_product(const std::vector<T>& c, int n, bool by_transposed) {
  const double unit = sizeof(T) == 4 ? std::ldexp(1.0, -24) : std::ldexp(1.0, -53);
  const Powers p(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double wanted = by_transposed ? 4 * p.kk + 2 * (double(i) + j) * p.k + double(i) * j * p.n
                                          : 2 * j * p.k - 2 * p.kk + double(i) * j * p.n - i * p.k;
      const double magnitude = 4 * p.kk + (2.0 * j + 2.0 * i) * p.k + double(i) * j * p.n;
      const double got = static_cast<double>(c[static_cast<size_t>(i) * n + j]);
      if (!(std::fabs(got - wanted) <= n * unit * magnitude)) return false;
    }
  }
  return true;
}

/// Memory for a rung that needs some beside its matrices, kept until release().
template <class T>
class Scratch {
 public:
  static T* of(size_t count) {
    if (memory() == nullptr) memory() = device_array<T>(count);
    return memory();
  }
  static void release() {
    check(cudaFree(memory()), "cudaFree");
    memory() = nullptr;
  }

 private:
  static T*& memory() {
    static T* memory = nullptr;
    return memory;
  }
};

template <class Rung, class T>
int product(const Options& options) {
  const int n = options.size;
  Matrices<T> host(n);
  const size_t count = host.a.size(), bytes = count * sizeof(T);
  T* const device_a = device_array<T>(count);
  T* const device_b = device_array<T>(count);
  T* const device_c = device_array<T>(count);
  check(cudaMemcpy(device_a, host.a.data(), bytes, cudaMemcpyHostToDevice), "copying a");
  check(cudaMemcpy(device_b, host.b.data(), bytes, cudaMemcpyHostToDevice), "copying b");
  const float ms = best_time(
      options.repetitions, [] {}, [&] { Rung::run(device_a, device_b, device_c, n); });
  check(cudaGetLastError(), "the launch");
  check(cudaMemcpy(host.c.data(), device_c, bytes, cudaMemcpyDeviceToHost), "copying c");
  check(cudaFree(device_a), "cudaFree");
  check(cudaFree(device_b), "cudaFree");
  check(cudaFree(device_c), "cudaFree");
  Scratch<T>::release();
  return report(Rung::name, options, ms, is_product(host.c, n, Rung::by_transposed));
}

template <class Rung, class T>
int product_on_cpu(const Options& options) {
  Matrices<T> host(options.size);
  const float ms = best_cpu_time(
      options.repetitions, [] {}, [&] { Rung::run(host.a.data(), host.b.data(), host.c.data(), options.size); });
  return report(Rung::name, options, ms, is_product(host.c, options.size, Rung::by_transposed));
}

template <class Rung>
int matmul_on_cpu(int argc, char** argv) {
  const Options options = read_options(argc, argv, 512, "float");
  const bool doubles = std::strcmp(options.type, "double") == 0;
  return doubles ? product_on_cpu<Rung, double>(options) : product_on_cpu<Rung, float>(options);
}

/// Whether the rung takes elements of type T: some are for one type only.
template <class Rung, class T>
inline constexpr bool takes =
    requires { Rung::run(std::declval<const T*>(), std::declval<const T*>(), std::declval<T*>(), 0); };

template <class Rung, class T>
int product_if_taken(const Options& options) {
  if constexpr (takes<Rung, T>) {
    return product<Rung, T>(options);
  } else {
    std::fprintf(stderr, "%s does not take %s\n", Rung::name, options.type);
    return 2;
  }
}

template <class Rung>
int matmul(int argc, char** argv) {
  const Options options = read_options(argc, argv, 512, takes<Rung, float> ? "float" : "double");
  if (options.size % 32 != 0) {
    std::fprintf(stderr, "the size must be a multiple of 32\n");
    return 2;
  }
  return std::strcmp(options.type, "double") == 0 ? product_if_taken<Rung, double>(options)
                                                  : product_if_taken<Rung, float>(options);
}

}  // namespace ladder
