#pragma once

// The math functions of device code: the meaning of sinf(x), std::pow(x, y) or __expf(x) in a kernel. clang
// treats them as overloads beside the host's. The host's headers come after them: without such an overload,
// clang would use a constexpr function of <cmath> for the device, too.

#include <features.h>

#include "math/bessel.h"
#include "math/exp_log.h"
#include "math/inverse.h"
#include "math/roots.h"
#include "math/rounding.h"
#include "math/special.h"
#include "math/trig.h"

#define CUDALABS_MATH_DEVICE static __attribute__((device)) __inline__ __attribute__((always_inline, nodebug))
#define CUDALABS_BOTH \
  static __attribute__((host)) __attribute__((device)) __inline__ __attribute__((always_inline, nodebug))

namespace cudalabs_math {
template <bool Condition>
struct DoubleIf {};
template <>
struct DoubleIf<true> {
  using type = double;
};
template <class T>
struct OfInteger : DoubleIf<__is_integral(T)> {};
template <class T, class U>
struct OfNumbers
    : DoubleIf<(__is_integral(T) || __is_floating_point(T)) && (__is_integral(U) || __is_floating_point(U))> {
};
}  // namespace cudalabs_math

// A function of one argument: name(double), namef(float), and the C++ overloads.
#define CUDALABS_FUNCTION_1(who, name)                          \
  who double name(double a) { return cudalabs_math::name(a); }  \
  who float name##f(float a) { return cudalabs_math::name(a); } \
  who float name(float a) { return cudalabs_math::name(a); }    \
  template <class T>                                            \
  who typename cudalabs_math::OfInteger<T>::type name(T a) {    \
    return cudalabs_math::name(static_cast<double>(a));         \
  }
// Two arguments: computes in double unless both are float.
#define CUDALABS_FUNCTION_2(who, name)                                          \
  who double name(double a, double b) { return cudalabs_math::name(a, b); }     \
  who float name##f(float a, float b) { return cudalabs_math::name(a, b); }     \
  who float name(float a, float b) { return cudalabs_math::name(a, b); }        \
  template <class T, class U>                                                   \
  who typename cudalabs_math::OfNumbers<T, U>::type name(T a, U b) {            \
    return cudalabs_math::name(static_cast<double>(a), static_cast<double>(b)); \
  }

// The functions of <cmath>.
#define CUDALABS_STANDARD(one, two)                                                                         \
  one(acos) one(acosh) one(asin) one(asinh) one(atan) one(atanh) one(cbrt) one(ceil) one(cos) one(cosh)     \
      one(erf) one(erfc) one(exp) one(exp2) one(expm1) one(fabs) one(floor) one(lgamma) one(log) one(log10) \
          one(log1p) one(log2) one(logb) one(nearbyint) one(rint) one(round) one(sin) one(sinh) one(sqrt)   \
              one(tan) one(tanh) one(tgamma) one(trunc) two(atan2) two(copysign) two(fdim) two(fmax)        \
                  two(fmin) two(fmod) two(hypot) two(nextafter) two(pow) two(remainder)

#define CUDALABS_ONE(name) CUDALABS_FUNCTION_1(CUDALABS_MATH_DEVICE, name)
#define CUDALABS_TWO(name) CUDALABS_FUNCTION_2(CUDALABS_MATH_DEVICE, name)
CUDALABS_STANDARD(CUDALABS_ONE, CUDALABS_TWO)
// Functions that only the host's <math.h> has.
CUDALABS_ONE(exp10)
CUDALABS_ONE(j0)
CUDALABS_ONE(j1)
CUDALABS_ONE(y0)
CUDALABS_ONE(y1)
#undef CUDALABS_ONE
#undef CUDALABS_TWO

// Functions that the host lacks: these serve the host, too. A newer glibc has some itself.
#if __GLIBC_PREREQ(2, 41)
CUDALABS_FUNCTION_1(CUDALABS_MATH_DEVICE, cospi)
CUDALABS_FUNCTION_1(CUDALABS_MATH_DEVICE, sinpi)
#else
CUDALABS_FUNCTION_1(CUDALABS_BOTH, cospi)
CUDALABS_FUNCTION_1(CUDALABS_BOTH, sinpi)
#endif
#if __GLIBC_PREREQ(2, 42)
CUDALABS_FUNCTION_1(CUDALABS_MATH_DEVICE, rsqrt)
#else
CUDALABS_FUNCTION_1(CUDALABS_BOTH, rsqrt)
#endif
#define CUDALABS_ONE(name) CUDALABS_FUNCTION_1(CUDALABS_BOTH, name)
CUDALABS_ONE(cyl_bessel_i0)
CUDALABS_ONE(cyl_bessel_i1)
CUDALABS_ONE(erfcinv)
CUDALABS_ONE(erfcx)
CUDALABS_ONE(erfinv)
CUDALABS_ONE(normcdf)
CUDALABS_ONE(normcdfinv)
CUDALABS_ONE(rcbrt)
#undef CUDALABS_ONE
CUDALABS_FUNCTION_2(CUDALABS_BOTH, rhypot)

// Functions with other signatures, for both types; the names of the float versions end in f. C++ overloads
// all of them except norms.
#define CUDALABS_OTHERS(who, F, f)                                            \
  who void sincospi##f(F a, F* s, F* c) { cudalabs_math::sincospi(a, s, c); } \
  who F fdivide##f(F a, F b) { return cudalabs_math::quotient(a, b); }
#define CUDALABS_NORMS(who, F, f)                                                          \
  who F norm3d##f(F a, F b, F c) { return cudalabs_math::norm3d(a, b, c); }                \
  who F rnorm3d##f(F a, F b, F c) { return cudalabs_math::rnorm3d(a, b, c); }              \
  who F norm4d##f(F a, F b, F c, F d) { return cudalabs_math::norm4d(a, b, c, d); }        \
  who F rnorm4d##f(F a, F b, F c, F d) { return cudalabs_math::rnorm4d(a, b, c, d); }      \
  who F norm##f(int count, const F* values) { return cudalabs_math::norm(count, values); } \
  who F rnorm##f(int count, const F* values) { return cudalabs_math::rnorm(count, values); }
#define CUDALABS_MATH_OTHERS(F, f)                                                                           \
  CUDALABS_MATH_DEVICE void sincos##f(F a, F* s, F* c) { cudalabs_math::sincos(a, s, c); }                   \
  CUDALABS_MATH_DEVICE F fma##f(F a, F b, F c) { return cudalabs_math::fma(a, b, c); }                       \
  CUDALABS_MATH_DEVICE F frexp##f(F a, int* exponent) { return cudalabs_math::frexp(a, exponent); }          \
  CUDALABS_MATH_DEVICE F ldexp##f(F a, int n) { return cudalabs_math::scalbn(a, n); }                        \
  CUDALABS_MATH_DEVICE F scalbn##f(F a, int n) { return cudalabs_math::scalbn(a, n); }                       \
  CUDALABS_MATH_DEVICE F scalbln##f(F a, long n) { return cudalabs_math::scalbln(a, n); }                    \
  CUDALABS_MATH_DEVICE int ilogb##f(F a) { return cudalabs_math::ilogb(a); }                                 \
  CUDALABS_MATH_DEVICE F modf##f(F a, F* whole) { return cudalabs_math::modf(a, whole); }                    \
  CUDALABS_MATH_DEVICE F remquo##f(F a, F b, int* quotient) {                                                \
    return cudalabs_math::remquo(a, b, quotient);                                                            \
  }                                                                                                          \
  CUDALABS_MATH_DEVICE long lrint##f(F a) { return static_cast<long>(cudalabs_math::rint_of(a)); }           \
  CUDALABS_MATH_DEVICE long long llrint##f(F a) {                                                            \
    return static_cast<long long>(cudalabs_math::rint_of(a));                                                \
  }                                                                                                          \
  CUDALABS_MATH_DEVICE long lround##f(F a) { return static_cast<long>(cudalabs_math::round(a)); }            \
  CUDALABS_MATH_DEVICE long long llround##f(F a) { return static_cast<long long>(cudalabs_math::round(a)); } \
  CUDALABS_MATH_DEVICE F jn##f(int n, F a) { return cudalabs_math::jn(n, a); }                               \
  CUDALABS_MATH_DEVICE F yn##f(int n, F a) { return cudalabs_math::yn(n, a); }                               \
  CUDALABS_MATH_DEVICE F powi##f(F a, int n) { return cudalabs_math::pow(a, static_cast<F>(n)); }
CUDALABS_OTHERS(CUDALABS_BOTH, double, )
CUDALABS_OTHERS(CUDALABS_BOTH, float, f)
CUDALABS_OTHERS(CUDALABS_BOTH, float, )
CUDALABS_NORMS(CUDALABS_BOTH, double, )
CUDALABS_NORMS(CUDALABS_BOTH, float, f)
CUDALABS_MATH_OTHERS(double, )
CUDALABS_MATH_OTHERS(float, f)
CUDALABS_MATH_OTHERS(float, )
#undef CUDALABS_OTHERS
#undef CUDALABS_NORMS
#undef CUDALABS_MATH_OTHERS

// For integers: otherwise the C++ library's templates apply, which call functions that no device has.
#define CUDALABS_OF_INTEGER(result, call)                                       \
  template <class T, class Double = typename cudalabs_math::OfInteger<T>::type> \
  CUDALABS_MATH_DEVICE result call
CUDALABS_OF_INTEGER(Double, ldexp(T a, int n)) { return ldexp(static_cast<Double>(a), n); }
CUDALABS_OF_INTEGER(Double, scalbn(T a, int n)) { return scalbn(static_cast<Double>(a), n); }
CUDALABS_OF_INTEGER(Double, scalbln(T a, long n)) { return scalbln(static_cast<Double>(a), n); }
CUDALABS_OF_INTEGER(Double, frexp(T a, int* exponent)) { return frexp(static_cast<Double>(a), exponent); }
CUDALABS_OF_INTEGER(int, ilogb(T a)) { return ilogb(static_cast<Double>(a)); }
CUDALABS_OF_INTEGER(long, lrint(T a)) { return lrint(static_cast<Double>(a)); }
CUDALABS_OF_INTEGER(long long, llrint(T a)) { return llrint(static_cast<Double>(a)); }
CUDALABS_OF_INTEGER(long, lround(T a)) { return lround(static_cast<Double>(a)); }
CUDALABS_OF_INTEGER(long long, llround(T a)) { return llround(static_cast<Double>(a)); }
#undef CUDALABS_OF_INTEGER

CUDALABS_MATH_DEVICE int abs(int a) { return a < 0 ? -a : a; }
CUDALABS_MATH_DEVICE long abs(long a) { return a < 0 ? -a : a; }
CUDALABS_MATH_DEVICE long long abs(long long a) { return a < 0 ? -a : a; }
CUDALABS_MATH_DEVICE float abs(float a) { return cudalabs_math::absolute(a); }
CUDALABS_MATH_DEVICE double abs(double a) { return cudalabs_math::absolute(a); }
CUDALABS_MATH_DEVICE long labs(long a) { return a < 0 ? -a : a; }
CUDALABS_MATH_DEVICE long long llabs(long long a) { return a < 0 ? -a : a; }
CUDALABS_MATH_DEVICE double nan(const char*) { return cudalabs_math::nan_d(); }
CUDALABS_MATH_DEVICE float nanf(const char*) { return cudalabs_math::nan_f(); }

// The fast functions: little more than the instructions of the special-function unit.
CUDALABS_MATH_DEVICE float __sinf(float a) { return __nvvm_sin_approx_f(a); }
CUDALABS_MATH_DEVICE float __cosf(float a) { return __nvvm_cos_approx_f(a); }
CUDALABS_MATH_DEVICE void __sincosf(float a, float* s, float* c) {
  *s = __nvvm_sin_approx_f(a);
  *c = __nvvm_cos_approx_f(a);
}
CUDALABS_MATH_DEVICE float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
CUDALABS_MATH_DEVICE float __tanf(float a) {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a));
}
CUDALABS_MATH_DEVICE float __expf(float a) { return __nvvm_ex2_approx_f(a * 0x1.715476p+0f); }
CUDALABS_MATH_DEVICE float __exp10f(float a) { return __nvvm_ex2_approx_f(a * 0x1.a934fp+1f); }
CUDALABS_MATH_DEVICE float __log2f(float a) { return __nvvm_lg2_approx_f(a); }
CUDALABS_MATH_DEVICE float __logf(float a) { return __nvvm_lg2_approx_f(a) * 0x1.62e43p-1f; }
CUDALABS_MATH_DEVICE float __log10f(float a) { return __nvvm_lg2_approx_f(a) * 0x1.344136p-2f; }
CUDALABS_MATH_DEVICE float __powf(float a, float b) {
  return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a));
}
CUDALABS_MATH_DEVICE float __saturatef(float a) { return __nvvm_saturate_f(a); }

namespace std {
#define CUDALABS_USING(name) \
  using ::name;              \
  using ::name##f;
CUDALABS_STANDARD(CUDALABS_USING, CUDALABS_USING)
CUDALABS_USING(fma)
CUDALABS_USING(frexp)
CUDALABS_USING(ilogb)
CUDALABS_USING(ldexp)
CUDALABS_USING(llrint)
CUDALABS_USING(llround)
CUDALABS_USING(lrint)
CUDALABS_USING(lround)
CUDALABS_USING(modf)
CUDALABS_USING(nan)
CUDALABS_USING(remquo)
CUDALABS_USING(scalbln)
CUDALABS_USING(scalbn)
using ::abs;
using ::labs;
using ::llabs;
#undef CUDALABS_USING
}  // namespace std

#undef CUDALABS_STANDARD
#undef CUDALABS_FUNCTION_1
#undef CUDALABS_FUNCTION_2
#undef CUDALABS_MATH_DEVICE
#undef CUDALABS_BOTH

// malloc and free first: <math.h> may include clang's wrapper of <new>, which needs their declarations.
#include <stdlib.h>
// It provides isnan and the other classification functions for the device, as constexpr functions of both.
#include <math.h>
