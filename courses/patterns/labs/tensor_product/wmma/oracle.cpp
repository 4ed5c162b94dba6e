// tensor_product wmma, a matrix product: the factors, what is right, what it costs on one CPU thread, and what is often
// wrong.
#include "oracle.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace {

constexpr int kLargest = 8;  // of the factors' numbers

// Small whole numbers in half precision.
std::uint16_t half_of(std::int64_t number) {
  if (number == 0) return 0;
  const auto magnitude = static_cast<unsigned>(std::abs(number));
  const int exponent = std::ilogb(static_cast<double>(magnitude));
  const unsigned fraction = (magnitude << (10 - exponent)) & 1023;
  return static_cast<std::uint16_t>((number < 0 ? 0x8000u : 0u) | static_cast<unsigned>(exponent + 15) << 10 |
                                    fraction);
}
float value_of(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float magnitude =
      exponent == 0 ? 0.0F : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  return bits >> 15 != 0 ? -magnitude : magnitude;
}

struct Factors {
  std::int64_t m, n, k;
  std::vector<float> a, b;

  explicit Factors(const OracleCall* call) : m(call->sizes[0]), n(call->sizes[1]), k(call->sizes[2]) {
    const auto read = [call](int input, std::int64_t count) {
      const auto* bits = static_cast<const std::uint16_t*>(call->inputs[input]);
      std::vector<float> values(static_cast<std::size_t>(count));
      std::transform(bits, bits + count, values.begin(), value_of);
      return values;
    };
    a = read(0, m * k);
    b = read(1, k * n);
  }

  /// c, of the first `terms` terms of each sum. Adds them in `Number`, whose sums of such numbers are exact.
  template <class Number>
  void multiply(std::int64_t terms, Number* c) const {
    std::fill(c, c + m * n, Number{0});
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t t = 0; t < terms; ++t) {
        const float factor = a[static_cast<std::size_t>(i * k + t)];
        const float* row = b.data() + t * n;
        for (std::int64_t j = 0; j < n; ++j) c[i * n + j] += factor * row[j];
      }
  }
};

}  // namespace

// Whole numbers from -8 to 8 but 0, so that each term counts and no sum is rounded.
extern "C" void make_inputs(const OracleInputs* call) {
  OracleRandom random(call->seed);
  for (int input = 0; input < 2; ++input) {
    auto* bits = static_cast<std::uint16_t*>(call->inputs[input]);
    for (std::int64_t i = 0; i < call->counts[input]; ++i) {
      const std::int64_t magnitude = 1 + random.below(kLargest);
      bits[i] = half_of(random.below(2) == 0 ? magnitude : -magnitude);
    }
  }
}

extern "C" void oracle(const OracleCall* call) {
  const Factors factors(call);
  factors.multiply(factors.k, call->expected[0].values);
}

extern "C" void baseline(const OracleCall* call) {
  const Factors factors(call);
  factors.multiply(factors.k, static_cast<float*>(call->results[0]));
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  static const char* const kWords[] = {
      "a sum over whole steps of 16 along k only: fill the last step with zeros",
      "a sum over the first 16 terms only: go on along k",
      "a product with the transpose of b: row_major or col_major of the fragment",
      "a product with the transpose of a: row_major or col_major of the fragment",
  };
  constexpr std::int64_t kStep = 16;
  if (which >= static_cast<int>(std::size(kWords))) return nullptr;
  Factors factors(call);
  double* c = call->expected[0].values;
  if (which < 2) {
    factors.multiply(which == 0 ? factors.k / kStep * kStep : std::min(factors.k, kStep), c);
    return kWords[which];
  }
  auto& factor = which == 2 ? factors.b : factors.a;
  const std::int64_t rows = which == 2 ? factors.k : factors.m, cols = which == 2 ? factors.n : factors.k;
  if (rows != cols) return "";
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t s = 0; s < r; ++s)
      std::swap(factor[static_cast<std::size_t>(r * cols + s)],
                factor[static_cast<std::size_t>(s * cols + r)]);
  factors.multiply(factors.k, c);
  return kWords[which];
}
