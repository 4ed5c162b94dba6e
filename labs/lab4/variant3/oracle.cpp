// lab4 variant3, matrix product of doubles: what is right, what it costs on one CPU thread, and what is often
// wrong.
#include "matrix_product.h"

namespace {

using matrix_product::by_rows;
using matrix_product::multiply;

using Element = double;
using Wide = long double;
constexpr double more_roundings = 1;  // our own value is rounded to double, too

struct Problem {
  const Element *a, *b;
  std::int64_t m, n, k;

  explicit Problem(const OracleCall* call)
      : a(static_cast<const Element*>(call->inputs[0])),
        b(static_cast<const Element*>(call->inputs[1])),
        m(call->sizes[0]),
        n(call->sizes[1]),
        k(call->sizes[2]) {}
};

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  const Problem p(call);
  multiply<Wide>(call, by_rows(p.a, p.m, p.k), by_rows(p.b, p.k, p.n), p.m, p.n, 0, p.k, more_roundings);
}

extern "C" void baseline(const OracleCall* call) {
  const Problem p(call);
  auto* c = static_cast<Element*>(call->results[0]);
  // b transposed first, as the course does, so that both factors are read along their rows.
  std::vector<Element> columns(static_cast<std::size_t>(p.k * p.n));
  for (std::int64_t q = 0; q < p.k; ++q)
    for (std::int64_t j = 0; j < p.n; ++j) columns[static_cast<std::size_t>(j * p.k + q)] = p.b[q * p.n + j];
  for (std::int64_t i = 0; i < p.m; ++i) {
    for (std::int64_t j = 0; j < p.n; ++j) {
      const Element *row = p.a + i * p.k, *column = columns.data() + j * p.k;
      Element sum = 0;
      for (std::int64_t q = 0; q < p.k; ++q) sum += row[q] * column[q];
      c[i * p.n + j] = sum;
    }
  }
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const Problem p(call);
  const auto a = by_rows(p.a, p.m, p.k), b = by_rows(p.b, p.k, p.n);
  const auto with = [&](const auto& left, const auto& right) {
    if (!left.holds(p.m, p.k) || !right.holds(p.k, p.n)) return matrix_product::nothing(call);
    multiply<Wide>(call, left, right, p.m, p.n, 0, p.k, more_roundings);
  };
  switch (which) {
    case 0: {
      auto wrong = b;
      wrong.row_step = p.k;
      with(a, wrong);
      return "the product with rows of b that are k elements long: they are n long, b[q * n + j]";
    }
    case 1: {
      auto wrong = a;
      wrong.row_step = p.n;
      with(wrong, b);
      return "the product with rows of a that are n elements long: they are k long, a[i * k + q]";
    }
    case 2: {
      auto wrong = a;
      wrong.row_step = p.m;
      with(wrong, b);
      return "the product with rows of a that are m elements long: they are k long, a[i * k + q]";
    }
    case 3:
      if (p.m == p.n && p.n == p.k) {
        with(b, a);
      } else {
        matrix_product::nothing(call);
      }
      return "b times a instead of a times b";
    case 4:
      // A sum that starts with what is in c cannot be foretold, one that adds the first product twice can.
      for (std::int64_t i = 0; i < p.m * p.n; ++i) {
        const Wide value = static_cast<Wide>(p.a[i / p.n * p.k]) * static_cast<Wide>(p.b[i % p.n]);
        call->expected[0].values[i] = static_cast<double>(value);
        call->expected[0].magnitudes[i] = static_cast<double>(std::fabs(value));
        call->expected[0].roundings[i] = 1 + more_roundings;
      }
      return "the first term alone: the others are never added";
    default:
      return matrix_product::mistake<Wide>(
          call, which - 5, matrix_product::Product<Element>{a, b, p.m, p.n, p.k}, more_roundings);
  }
}
