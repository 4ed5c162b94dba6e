#pragma once
// The whole oracle of c = a b for row-major matrices, a of m x k and b of k x n elements, in any element
// type. What `Wide` rounds must not count, or be among `more_roundings`: once for a value that is wider than
// double, with every term where products of doubles are added in doubles.

#include "matrix_product.h"

namespace matrix_product {

template <class Element>
struct Factors {
  const Element *a, *b;
  std::int64_t m, n, k;

  explicit Factors(const OracleCall* call)
      : a(static_cast<const Element*>(call->inputs[0])),
        b(static_cast<const Element*>(call->inputs[1])),
        m(call->sizes[0]),
        n(call->sizes[1]),
        k(call->sizes[2]) {}
};

template <class Element, class Wide>
void oracle(const OracleCall* call, double more_roundings) {
  const Factors<Element> p(call);
  multiply<Wide>(call, by_rows(p.a, p.m, p.k), by_rows(p.b, p.k, p.n), p.m, p.n, 0, p.k, more_roundings);
}

template <class Element>
void baseline(const OracleCall* call) {
  const Factors<Element> p(call);
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

template <class Element, class Wide>
const char* usual_mistake(const OracleCall* call, int which, double more_roundings) {
  const Factors<Element> p(call);
  const auto a = by_rows(p.a, p.m, p.k), b = by_rows(p.b, p.k, p.n);
  const auto with = [&](const auto& left, const auto& right, const char* name) {
    if (!left.holds(p.m, p.k) || !right.holds(p.k, p.n)) return "";
    multiply<Wide>(call, left, right, p.m, p.n, 0, p.k, more_roundings);
    return name;
  };
  switch (which) {
    case 0: {
      auto wrong = b;
      wrong.row_step = p.k;
      return with(a, wrong,
                  "the product with rows of b that are k elements long: they are n long, b[q * n + j]");
    }
    case 1: {
      auto wrong = a;
      wrong.row_step = p.n;
      return with(wrong, b,
                  "the product with rows of a that are n elements long: they are k long, a[i * k + q]");
    }
    case 2: {
      auto wrong = a;
      wrong.row_step = p.m;
      return with(wrong, b,
                  "the product with rows of a that are m elements long: they are k long, a[i * k + q]");
    }
    case 3: return p.m == p.n && p.n == p.k ? with(b, a, "b times a instead of a times b") : "";
    case 4:
      // A sum that starts with what is in c cannot be foretold, one that adds the first product twice can.
      for (std::int64_t i = 0; i < p.m * p.n; ++i) {
        const Wide value = static_cast<Wide>(p.a[i / p.n * p.k]) * static_cast<Wide>(p.b[i % p.n]);
        call->expected[0].values[i] = static_cast<double>(value);
        call->expected[0].magnitudes[i] = static_cast<double>(std::fabs(value));
        call->expected[0].roundings[i] = 1 + more_roundings;
      }
      return "the first term alone: the others are never added";
    default: return mistake<Wide>(call, which - 5, Product<Element>{a, b, p.m, p.n, p.k}, more_roundings);
  }
}

}  // namespace matrix_product
