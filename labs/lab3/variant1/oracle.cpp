// lab3 variant1, dot product: what is right, what it costs on one CPU thread, and what is often wrong.
#include <vector>

#include "reductions.h"

namespace {

using reductions::Answer;
using reductions::Sum;
using Products = reductions::Line<long double>;

struct Vectors {
  const float *x, *y;
  std::int64_t n;

  explicit Vectors(const OracleCall* call)
      : x(static_cast<const float*>(call->inputs[0])),
        y(static_cast<const float*>(call->inputs[1])),
        n(call->sizes[0]) {}

  /// term(x[i], y[i], i) added up over all i.
  template <class Term>
  Answer sum(Term term) const {
    Sum total;
    for (std::int64_t i = 0; i < n; ++i)
      total.add(term(static_cast<long double>(x[i]), static_cast<long double>(y[i]), i));
    return total.answer();
  }
};

long double product(long double x, long double y, std::int64_t) { return x * y; }

}  // namespace

extern "C" void oracle(const OracleCall* call) { reductions::store(call, 0, Vectors(call).sum(product)); }

extern "C" void baseline(const OracleCall* call) {
  const Vectors v(call);
  float sum = 0;
  for (std::int64_t i = 0; i < v.n; ++i) sum += v.x[i] * v.y[i];
  *static_cast<float*>(call->results[0]) = sum;
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const Vectors v(call);
  const auto answer = [&](auto term) { reductions::store(call, 0, v.sum(term)); };
  switch (which) {
    case 0:
      answer([](long double x, long double y, std::int64_t) { return x + y; });
      return "the sum of all elements: they are added where they should be multiplied";
    case 1:
      answer([](long double x, long double, std::int64_t) { return x * x; });
      return "the dot product of x with itself: y is not read";
    case 2:
      answer([](long double, long double y, std::int64_t) { return y * y; });
      return "the dot product of y with itself: x is not read";
    case 3:
      answer([](long double x, long double, std::int64_t) { return x; });
      return "the sum of x: it is not multiplied by y";
    case 4:
      answer([&](long double x, long double, std::int64_t i) { return x * v.y[v.n - 1 - i]; });
      return "the dot product of x with y in reverse order";
    case 5:
      answer([](long double x, long double y, std::int64_t) { return 2 * x * y; });
      return "twice the dot product: every product is added twice";
    case 6:
      answer([](long double x, long double y, std::int64_t) { return std::fabs(x * y); });
      return "the sum of the products' absolute values";
    default: break;
  }
  std::vector<long double> products;
  for (std::int64_t i = 0; i < v.n; ++i) products.push_back(static_cast<long double>(v.x[i]) * v.y[i]);
  return reductions::vector_mistake(call, which - 7, Products{products.data(), v.n}, "sum of the products",
                                    [](Products part) { return reductions::sum(part); });
}
