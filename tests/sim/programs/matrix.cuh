#pragma once
// What the programs about matrices share: small numbers whose products and sums are exact in every type, so that the
// device's answer must be the host's, and real ones with a bound on the error.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.cuh"

using bf16 = __nv_bfloat16;
inline double number(half v) { return static_cast<double>(__half2float(v)); }
inline double number(bf16 v) { return static_cast<double>(__bfloat162float(v)); }
template <class T>
double number(T v) { return static_cast<double>(v); }

template <class T>
T make(double v) {
  if constexpr (std::is_same_v<T, half>) return __double2half(v);
  else if constexpr (std::is_same_v<T, bf16>) return __double2bfloat16(v);
  else return static_cast<T>(v);
}

/// Integers from -4 to 4 (from 0 to 8 for unsigned), another for each place.
template <class T>
std::vector<T> whole_numbers(int n, u32 seed) {
  std::vector<T> v;
  for (int i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    v.push_back(make<T>(static_cast<int>(seed >> 16) % 9 - (static_cast<T>(make<T>(-1)) < make<T>(0) ? 4 : 0)));
  }
  return v;
}
/// Numbers in (-1, 1), rounded to T.
template <class T>
std::vector<T> fractions(int n, u32 seed) {
  std::vector<T> v;
  for (int i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    v.push_back(make<T>((seed >> 8) / 8388608.0 - 1));
  }
  return v;
}

/// Rows or columns first in memory.
struct Order {
  bool by_rows;
  int stride;
  int at(int row, int column) const { return by_rows ? row * stride + column : column * stride + row; }
};

/// d = a b + c of an m x k and a k x n matrix on the host. `tolerance`: of the sum of the absolute values.
template <class A, class B, class C, class D>
void expect_product(const char* name, int m, int n, int k, const std::vector<A>& a, Order oa, const std::vector<B>& b, Order ob,
                    const std::vector<C>& c, Order oc, const std::vector<D>& d, Order od, double tolerance) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = number(c[oc.at(i, j)]), size = std::fabs(sum);
      for (int l = 0; l < k; ++l) {
        const double product = number(a[oa.at(i, l)]) * number(b[ob.at(l, j)]);
        sum += product;
        size += std::fabs(product);
      }
      const double got = number(d[od.at(i, j)]);
      if (!(std::fabs(got - sum) <= tolerance * size) && ++mismatches <= 20) {
        std::printf("%s: element (%d, %d) is %.9g, not %.9g\n", name, i, j, got, sum);
      }
    }
  }
}
