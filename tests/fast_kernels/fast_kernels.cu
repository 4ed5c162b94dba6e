// The fastest kernels (reference/ladder/fast_*.cuh) on shapes that take every path through them: no element,
// one, one more and one less than a tile, rows that begin at no multiple of 16 bytes. Elements are small
// whole numbers: every sum is exact, in any order. Prints what is wrong; run by `grader run --check all`, and
// on a card as it is.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../reference/ladder/fast_product.cuh"
#include "../../reference/ladder/fast_product_double.cuh"
#include "../../reference/ladder/fast_reduction.cuh"
#include "../../reference/ladder/fast_transpose.cuh"

namespace {

int failures = 0;

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

/// Device memory with the values of a vector, `skip` elements past an aligned address.
template <class T>
class Array {
 public:
  explicit Array(const std::vector<T>& values, size_t skip = 0) : skip_(skip) {
    check(cudaMalloc(&memory_, (values.size() + skip) * sizeof(T) + 16), "cudaMalloc");
    if (values.empty()) return;
    check(cudaMemcpy(data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  ~Array() { cudaFree(memory_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  T* data() const { return memory_ + skip_; }
  std::vector<T> get(size_t count) const {
    std::vector<T> values(count);
    if (count > 0)
      check(cudaMemcpy(values.data(), data(), count * sizeof(T), cudaMemcpyDeviceToHost), "the kernel");
    return values;
  }

 private:
  T* memory_ = nullptr;
  size_t skip_;
};

template <class T>
std::vector<T> numbers(size_t count, unsigned seed) {
  std::vector<T> values(count);
  for (T& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<T>(static_cast<int>(seed >> 28) - 8);
  }
  return values;
}

template <class T>
void compare(const char* what, long long m, long long n, long long k, const std::vector<T>& got,
             const std::vector<T>& wanted) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (got[i] == wanted[i]) continue;
    std::printf("%s %lld %lld %lld: element %zu is %g, not %g\n", what, m, n, k, i,
                static_cast<double>(got[i]), static_cast<double>(wanted[i]));
    ++failures;
    return;
  }
}

template <template <class> class Op, class T, class Fold>
void reduce(const char* what, const fast::Workspace& workspace, long long rows, long long columns,
            size_t skip, size_t skip_y, T first, Fold fold) {
  const std::vector<T> x = numbers<T>(static_cast<size_t>(rows * columns), 1), y = numbers<T>(x.size(), 2);
  const Array<T> device_x(x, skip), device_y(y, skip_y),
      out(std::vector<T>(static_cast<size_t>(rows), T(77)));
  check(fast::reduce_rows<Op>(device_x.data(), device_y.data(), out.data(), rows, columns, T(2), workspace),
        what);
  std::vector<T> wanted(static_cast<size_t>(rows), first);
  for (size_t i = 0; i < x.size(); ++i) {
    T& of_row = wanted[i / static_cast<size_t>(columns)];
    of_row = fold(of_row, x[i], y[i]);
  }
  for (T& value : wanted) value *= 2;
  compare(what, rows, columns, static_cast<long long>(skip), out.get(wanted.size()), wanted);
}

template <class T>
void reductions(const fast::Workspace& workspace, long long rows, long long columns, size_t skip) {
  reduce<fast::Sum, T>("sum", workspace, rows, columns, skip, 0, T(0), [](T sum, T x, T) { return sum + x; });
  if (columns == 0) return;
  reduce<fast::Dot, T>("dot", workspace, rows, columns, skip, skip, T(0),
                       [](T sum, T x, T y) { return sum + x * y; });
  reduce<fast::Dot, T>("dot", workspace, rows, columns, skip, skip + 1, T(0),
                       [](T sum, T x, T y) { return sum + x * y; });
  reduce<fast::SumOfSquares, T>("squares", workspace, rows, columns, skip, 0, T(0),
                                [](T sum, T x, T) { return sum + x * x; });
  reduce<fast::Max, T>("max", workspace, rows, columns, skip, 0, T(-8),
                       [](T most, T x, T) { return std::max(most, x); });
  reduce<fast::Min, T>("min", workspace, rows, columns, skip, 0, T(8),
                       [](T least, T x, T) { return std::min(least, x); });
}

template <class T>
void transposes(int rows, int columns, size_t skip) {
  const std::vector<T> in = numbers<T>(static_cast<size_t>(rows) * columns, 3);
  const Array<T> device_in(in, skip), out(std::vector<T>(in.size(), T(77)));
  check(fast::transpose(device_in.data(), out.data(), rows, columns), "transpose");
  std::vector<T> wanted(in.size());
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x)
      wanted[static_cast<size_t>(x) * rows + y] = in[static_cast<size_t>(y) * columns + x];
  }
  compare("transpose", rows, columns, 0, out.get(in.size()), wanted);
}

template <class T>
std::vector<T> multiply(const std::vector<T>& a, const std::vector<T>& b, int m, int n, int k) {
  std::vector<T> c(static_cast<size_t>(m) * n);
  for (int i = 0; i < m; ++i) {
    for (int l = 0; l < k; ++l) {
      const T factor = a[static_cast<size_t>(i) * k + l];
      for (int j = 0; j < n; ++j)
        c[static_cast<size_t>(i) * n + j] += factor * b[static_cast<size_t>(l) * n + j];
    }
  }
  return c;
}

template <class T>
void products(int m, int n, int k) {
  const std::vector<T> a = numbers<T>(static_cast<size_t>(m) * k, 4),
                       b = numbers<T>(static_cast<size_t>(k) * n, 5);
  const Array<T> device_a(a), device_b(b), at(std::vector<T>(a.size())),
      c(std::vector<T>(static_cast<size_t>(m) * n, T(77)));
  if constexpr (sizeof(T) == 4) {
    check(fast::product(device_a.data(), device_b.data(), c.data(), m, n, k, at.data()), "product");
  } else {
    check(fast::product(device_a.data(), device_b.data(), c.data(), m, n, k), "product");
  }
  compare("product", m, n, k, c.get(static_cast<size_t>(m) * n), multiply(a, b, m, n, k));
}

void products_by_transposed(int m, int k) {
  const std::vector<float> a = numbers<float>(static_cast<size_t>(m) * k, 6);
  std::vector<float> turned(a.size());
  for (int i = 0; i < m; ++i) {
    for (int l = 0; l < k; ++l) turned[static_cast<size_t>(l) * m + i] = a[static_cast<size_t>(i) * k + l];
  }
  const Array<float> device_a(a), at(turned), c(std::vector<float>(static_cast<size_t>(m) * m, 77.0f));
  check(fast::product_by_transposed(device_a.data(), c.data(), m, k, at.data()), "product by the transposed");
  compare("product by the transposed", m, m, k, c.get(static_cast<size_t>(m) * m),
          multiply(a, turned, m, m, k));
}

}  // namespace

int main() {
  {
    const Array<char> memory{std::vector<char>(fast::Workspace::bytes)};
    const fast::Workspace workspace = fast::Workspace::over(memory.data());
    struct Shape {
      long long rows, columns;
      size_t skip;
    };
    for (const Shape& s : {Shape{0, 5, 0},
                           {3, 0, 0},
                           {1, 1, 0},
                           {5, 3, 1},
                           {33, 64, 0},
                           {9, 100, 1},
                           {5, 512, 0},
                           {3, 1000, 0},
                           {3, 1001, 0},
                           {2, 2048, 0},
                           {2, 4096, 0},
                           {2, 4095, 3},
                           {1, 40000, 0},
                           {3, 20001, 1}}) {
      reductions<float>(workspace, s.rows, s.columns, s.skip);
      reductions<int>(workspace, s.rows, s.columns, s.skip);
      reductions<double>(workspace, s.rows, s.columns, s.skip);
    }
  }
  struct Matrix {
    int rows, columns;
    size_t skip;
  };
  for (const Matrix& s : {Matrix{0, 4, 0},
                          {1, 1, 0},
                          {1, 100, 0},
                          {100, 4, 0},
                          {68, 132, 0},
                          {64, 64, 0},
                          {64, 64, 1},
                          {33, 65, 0}}) {
    transposes<float>(s.rows, s.columns, s.skip);
    transposes<double>(s.rows, s.columns, s.skip);
    transposes<int>(s.rows, s.columns, s.skip);
  }
  struct Product {
    int m, n, k;
  };
  for (const Product& s :
       {Product{0, 3, 2}, {1, 1, 1}, {5, 3, 0}, {2, 4, 100}, {64, 128, 32}, {65, 129, 33}, {132, 260, 40}}) {
    products<float>(s.m, s.n, s.k);
    products<double>(s.m, s.n, s.k);
  }
  products<float>(900, 1300, 20);  // more tiles than multiprocessors
  products<float>(901, 1301, 3);
  for (const Product& s : {Product{1, 0, 1}, {3, 0, 0}, {64, 0, 16}, {132, 0, 20}, {129, 0, 7}})
    products_by_transposed(s.m, s.k);
  std::printf(failures == 0 ? "all right\n" : "%d wrong\n", failures);
  return failures == 0 ? 0 : 1;
}
