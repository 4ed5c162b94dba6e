#pragma once

// The functions of functions.def as the host's compiler makes them of the device's headers,
// and what they should be.

#include <string_view>
#include <vector>

namespace cudalabs::test {

/// A function of one argument (`second` is ignored then) or two.
template <class F>
struct MathFunction {
  std::string_view name;
  bool of_two;
  int bound;
  F (*made)(F first, F second);
  /// Correctly rounded, as near as the C library's quadruple precision comes to it.
  F (*expected)(F first, F second);
};

template <class F>
const std::vector<MathFunction<F>>& math_functions();

/// Numbers of all magnitudes, and those that functions stumble over. The same ones each time.
template <class F>
std::vector<F> math_arguments(std::size_t count);

/// How far apart two results are, counted in floats between them. NaNs are equal, zeros of
/// different signs are not.
template <class F>
double distance(F a, F b);

}  // namespace cudalabs::test
