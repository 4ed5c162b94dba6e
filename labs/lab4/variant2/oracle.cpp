// lab4 variant2, product of a matrix with its transpose: what is
// right, what it costs on one CPU thread, and what is often wrong.
#include "matrix_product.h"

namespace {

using matrix_product::by_rows;
using matrix_product::multiply;

struct Problem {
  const float* a;
  std::int64_t n, k;
  std::vector<float> columns;  // of a, one after the other: they are read along the inner loop

  explicit Problem(const OracleCall* call)
      : a(static_cast<const float*>(call->inputs[0])),
        n(call->sizes[0]),
        k(call->sizes[1]),
        columns(static_cast<std::size_t>(n * k)) {
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t q = 0; q < k; ++q) columns[static_cast<std::size_t>(q * n + i)] = a[i * k + q];
  }
};

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  const Problem p(call);
  multiply<double>(call, by_rows(p.a, p.n, p.k), by_rows(p.columns.data(), p.k, p.n), p.n, p.n, 0, p.k, 0);
}

extern "C" void baseline(const OracleCall* call) {
  const auto* a = static_cast<const float*>(call->inputs[0]);
  const std::int64_t n = call->sizes[0], k = call->sizes[1];
  auto* c = static_cast<float*>(call->results[0]);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const float *left = a + i * k, *right = a + j * k;
      float sum = 0;
      for (std::int64_t q = 0; q < k; ++q) sum += left[q] * right[q];
      c[i * n + j] = sum;
    }
  }
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const Problem p(call);
  const auto a = by_rows(p.a, p.n, p.k), transposed = by_rows(p.columns.data(), p.k, p.n);
  switch (which) {
    case 0:
      if (p.n != p.k) return "";
      multiply<double>(call, a, a, p.n, p.n, 0, p.k, 0);
      return "a times a: the second factor is not transposed";
    case 1:
      if (p.n != p.k) return "";
      multiply<double>(call, transposed, a, p.n, p.n, 0, p.k, 0);
      return "the transpose of a times a: columns are multiplied instead of rows";
    case 2: {
      auto wrong = a;
      wrong.row_step = p.n;
      if (!wrong.holds(p.n, p.k)) return "";
      multiply<double>(call, wrong, matrix_product::transposed(wrong), p.n, p.n, 0, p.k, 0);
      return "the product with rows of a that are n elements long: they are k long, a[i * k + q]";
    }
    default:
      // The others exchange rows and columns of one factor; here that is what stands above.
      if (which - 3 >= matrix_product::common_mistakes) return nullptr;
      return matrix_product::mistake<double>(call, which - 3,
                                             matrix_product::Product<float>{a, transposed, p.n, p.n, p.k}, 0);
  }
}
