// lab1 variant2, values of a polynomial: what is right,
// what it costs on one CPU thread, and what is often wrong.
#include <cmath>
#include <cstdint>

#include "oracle.h"

namespace {

struct Problem {
  const float *x, *c;
  std::int64_t n, terms;

  explicit Problem(const OracleCall* call)
      : x(static_cast<const float*>(call->inputs[0])),
        c(static_cast<const float*>(call->inputs[1])),
        n(call->sizes[0]),
        terms(call->sizes[1]) {}
};

/// y[i] = the sum over k in [first, last) of coefficient(k) * x[place(i)]^(k + shift), in double, which is
/// exact enough by far. The bound is that of contract.cuh.
template <class Coefficient, class Place>
void fill(const OracleCall* call, std::int64_t first, std::int64_t last, int shift, Coefficient coefficient,
          Place place) {
  const Problem p(call);
  const OracleExpected& y = call->expected[0];
  for (std::int64_t i = 0; i < p.n; ++i) {
    const double x = p.x[place(i)];
    double sum = 0, magnitude = 0;
    for (std::int64_t k = last - 1; k >= first; --k) {
      const double c = coefficient(k);
      sum = sum * x + c;
      magnitude = magnitude * std::fabs(x) + std::fabs(c);
    }
    const double scale = std::pow(x, static_cast<double>(first + shift));
    y.values[i] = sum * scale;
    y.magnitudes[i] = magnitude * std::fabs(scale);
    y.roundings[i] = 2 * static_cast<double>(p.terms) + 4;
  }
}

std::int64_t same(std::int64_t i) { return i; }

}  // namespace

extern "C" void oracle(const OracleCall* call) {
  const Problem p(call);
  fill(
      call, 0, p.terms, 0, [&](std::int64_t k) { return p.c[k]; }, same);
}

extern "C" void baseline(const OracleCall* call) {
  const Problem p(call);
  auto* y = static_cast<float*>(call->results[0]);
  for (std::int64_t i = 0; i < p.n; ++i) {
    float sum = p.c[p.terms - 1];
    for (std::int64_t k = p.terms - 2; k >= 0; --k) sum = sum * p.x[i] + p.c[k];
    y[i] = sum;
  }
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const Problem p(call);
  const auto c = [&](std::int64_t k) { return p.c[k]; };
  switch (which) {
    case 0:
      fill(call, 0, p.terms - 1, 0, c, same);
      return "the polynomial without its highest term: the loop over the coefficients ends one too early";
    case 1:
      fill(call, 1, p.terms, 0, c, same);
      return "the polynomial without c[0]: the loop over the coefficients begins one too late";
    case 2:
      fill(
          call, 0, p.terms, 0, [&](std::int64_t k) { return p.c[p.terms - 1 - k]; }, same);
      return "the polynomial with its coefficients in reverse order: c[0] belongs to x^0";
    case 3:
      fill(call, 0, p.terms, 1, c, same);
      return "the polynomial times x: every power is one too high, c[0] belongs to x^0";
    case 4:
      fill(call, 1, p.terms, -1, c, same);
      return "the polynomial without c[0] divided by x: every power is one too low";
    case 5:
      fill(
          call, 0, p.terms, 0, [&](std::int64_t) { return p.c[0]; }, same);
      return "the polynomial with c[0] in place of every coefficient";
    case 6:
      fill(call, 0, p.terms, 0, c, [](std::int64_t) { return std::int64_t{0}; });
      return "the value at x[0] in every element";
    case 7:
    case 8:
    case 9:
    case 10: {
      const std::int64_t block = std::int64_t{128} << (which - 7);
      fill(call, 0, p.terms, 0, c, [block](std::int64_t i) { return i % block; });
      return "the values at the first block's x in every block: the index must contain blockIdx.x * "
             "blockDim.x";
    }
    default: return nullptr;
  }
}
