#pragma once
// Division of 128-bit integers. clang 14 and 16 call these functions for it, and fail if a module does not
// have them; 18 and 19 expand the division inline. They would add code to every module, so only files that
// need them get this header (clang.cpp).

#include "host_defines.h"

#ifdef __CUDA_ARCH__
namespace cudalabs {

struct WideQuotient {
  unsigned __int128 quotient, rest;
};

CUDALABS_DEVICE int leading_zeros(unsigned __int128 value) {
  const auto high = static_cast<unsigned long long>(value >> 64),
             low = static_cast<unsigned long long>(value);
  return high != 0 ? __builtin_clzll(high) : low != 0 ? 64 + __builtin_clzll(low) : 128;
}

/// Divides bit by bit. A division by zero has no meaning, but terminates.
CUDALABS_DEVICE WideQuotient divided(unsigned __int128 number, unsigned __int128 by) {
  if (by == 0) return {~static_cast<unsigned __int128>(0), number};
  unsigned __int128 quotient = 0;
  for (int bit = leading_zeros(by) - leading_zeros(number); bit >= 0; --bit) {
    if (number >> bit < by) continue;
    number -= by << bit;
    quotient |= static_cast<unsigned __int128>(1) << bit;
  }
  return {quotient, number};
}

CUDALABS_DEVICE unsigned __int128 magnitude(__int128 value) {
  const auto bits = static_cast<unsigned __int128>(value);
  return value < 0 ? -bits : bits;
}

}  // namespace cudalabs

#define CUDALABS_DIVISION(type, name, ...)                                                         \
  extern "C" CUDALABS_CUDA_WORD(device) __attribute__((used, nodebug)) type name(type a, type b) { \
    __VA_ARGS__                                                                                    \
  }
CUDALABS_DIVISION(unsigned __int128, __udivti3, return cudalabs::divided(a, b).quotient;)
CUDALABS_DIVISION(unsigned __int128, __umodti3, return cudalabs::divided(a, b).rest;)
CUDALABS_DIVISION(
    __int128, __divti3,
    const auto result = cudalabs::divided(cudalabs::magnitude(a), cudalabs::magnitude(b)).quotient;
    return static_cast<__int128>((a < 0) != (b < 0) ? -result : result);)
CUDALABS_DIVISION(__int128, __modti3,
                  const auto result = cudalabs::divided(cudalabs::magnitude(a), cudalabs::magnitude(b)).rest;
                  return static_cast<__int128>(a < 0 ? -result : result);)
#undef CUDALABS_DIVISION
#endif
