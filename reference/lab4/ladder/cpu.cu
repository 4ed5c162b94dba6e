// The CPU, one thread: b is transposed first, so that both factors are read along rows.

#include "matmul.cuh"

struct Rung {
  static constexpr const char* name = "cpu";
  static constexpr bool by_transposed = false;
  template <class T>
  static void run(const T* a, const T* b, T* c, int n) {
    const size_t row = n;
    std::vector<T> columns(row * row);
    for (size_t i = 0; i < row; ++i) {
      for (size_t j = 0; j < row; ++j) columns[j * row + i] = b[i * row + j];
    }
    for (size_t i = 0; i < row; ++i) {
      for (size_t j = 0; j < row; ++j) {
        T sum = 0;
        for (size_t k = 0; k < row; ++k) sum += a[i * row + k] * columns[j * row + k];
        c[i * row + j] = sum;
      }
    }
  }
};

LADDER_MAIN(ladder::matmul_on_cpu<Rung>)
