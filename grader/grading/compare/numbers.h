#pragma once
// What the comparison needs to know about the numbers of a type: their bits, their neighbours, and how sums
// of them round.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "grader/course/elements/element_type.h"

namespace cudalabs {

/// Rounds to the nearest multiple of `quantum` (ties to even).
inline double to_multiple(double x, double quantum) { return std::nearbyint(x / quantum) * quantum; }
/// Rounds to this many bits. Below the exponent `least` fewer bits remain.
inline double to_bits(double x, int bits, int least) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return x == 0 ? x : to_multiple(x, std::ldexp(1.0, std::max(exponent, least) - bits));
}

template <class T>
struct Numbers {
  using Value = ValueOf<T>;
  using Bits = BitsOf<T>;

  static Bits bits_of(const T& x) {
    Bits bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
  }
  /// Arithmetic turns a signalling NaN into the quiet one of the same payload.
  static Bits quiet(Bits nan) { return static_cast<Bits>(nan | Bits{1} << (kDigits<T> - 2)); }

  /// The distance between the two numbers of type T around `reference`.
  static double spacing(double reference) {
    const auto value = static_cast<double>(static_cast<Value>(static_cast<T>(reference)));
    if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
    int exponent = kMinExponent<T>;
    if (value != 0) std::frexp(value, &exponent);
    return std::ldexp(1.0, std::max(exponent, kMinExponent<T>) - kDigits<T>);
  }

  /// The number of steps from one number to another; 0 if it has no meaning.
  static double ulps_between(const T& a, const T& b) {
    if constexpr (!kIsFloat<T>) {
      return 0;
    } else {
      if (!std::isfinite(static_cast<Value>(a)) || !std::isfinite(static_cast<Value>(b))) return 0;
      // Maps the bits of a floating-point number to integers in the same order. Their differences count the
      // steps.
      const auto order = [](const T& x) {
        constexpr auto kSign = static_cast<Bits>(Bits{1} << (sizeof(T) * 8 - 1));
        const auto magnitude = static_cast<double>(bits_of(x) & static_cast<Bits>(~kSign));
        return (bits_of(x) & kSign) != 0 ? -magnitude : magnitude;
      };
      return std::abs(order(a) - order(b));
    }
  }

  /// gamma_n * magnitude (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1), plus the
  /// possible underflow of each product.
  static double sum_bound(double magnitude, double roundings) {
    const double n = chain(roundings);
    return gamma(n) * magnitude + n * std::ldexp(1.0, kMinExponent<T> - kDigits<T>);
  }
  /// Returns whether the difference is at most sum_bound(). It adds the underflow term only if that could
  /// matter, because processors are a hundred times slower on numbers as small as a double's.
  static bool within_sum_bound(double difference, double magnitude, double roundings) {
    return difference <= gamma(chain(roundings)) * magnitude || difference <= sum_bound(magnitude, roundings);
  }

 private:
  /// Longer chains of additions are judged as if they had this length. Beyond it the bound of a float sum
  /// would excuse an error of many percent, which no sensible order of summation has.
  static constexpr double kLongestChain = 0x1p20;

  static double chain(double roundings) { return std::clamp(roundings, 1.0, kLongestChain); }
  static double gamma(double n) {
    const double nu = n * std::ldexp(1.0, -kDigits<T>);
    return nu / (1 - nu);
  }
};

}  // namespace cudalabs
