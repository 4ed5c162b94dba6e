// Which function a call means, for the device and for the host: as nvcc has it, and with nothing left for a library.

// What clang's own wrappers of the standard headers expect.
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

// What a launch becomes.
struct dim3 {
  unsigned x, y, z;
};
extern "C" int cudaLaunchKernel(const void*, dim3, dim3, void**, __SIZE_TYPE__, void*);
// What clang's wrapper of <new> calls.
extern "C" __device__ void* malloc(__SIZE_TYPE__);
extern "C" __device__ void free(void*);

#ifdef CMATH_AFTER
#include <cudalabs/math.h>
#endif
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <random>
#ifndef CMATH_AFTER
#include <cudalabs/math.h>
#endif

template <class Wanted, class T>
__host__ __device__ void is(T) {
  static_assert(__is_same(Wanted, T));
}

__device__ float kept_float;
__device__ double kept_double;
__device__ long long kept_integer;

__host__ __device__ void calls(float f, double d, int i, long l, unsigned u) {
  is<float>(sin(f));
  is<float>(std::sin(f));
  is<float>(sinf(f));
  is<double>(sin(d));
  is<double>(std::sin(d));
  is<double>(sin(i));
  is<double>(std::sin(l));
  is<double>(std::sqrt(u));
  is<double>(pow(f, i));  // not float: as <cmath> has it since C++11
  is<double>(std::pow(f, 2));
  is<double>(std::pow(i, i));
  is<float>(std::pow(f, f));
  is<float>(powf(f, f));
  is<double>(pow(f, d));
  is<double>(atan2(f, i));
  is<float>(fmaxf(f, f));
  is<double>(fmax(d, i));
  is<float>(std::fma(f, f, f));
  is<double>(fma(d, d, d));
  is<int>(abs(i));
  is<long>(std::abs(l));
  is<float>(std::abs(f));
  is<double>(std::abs(d));
  is<float>(fabsf(f));
  is<float>(rsqrtf(f));
  is<float>(rsqrt(f));
  is<double>(rsqrt(d));
  is<double>(rsqrt(i));
  is<double>(normcdf(d));
  is<float>(erfcinvf(f));
  is<float>(norm3df(f, f, f));
  is<double>(rhypot(d, d));
  is<double>(sinpi(d));
  is<float>(std::floor(f));
  is<long>(lrintf(f));
  is<long long>(std::llround(d));
  is<float>(std::ldexp(f, i));
  is<int>(std::ilogb(f));
  is<bool>(isnan(f));
  is<bool>(std::isnan(d));
  is<bool>(isinf(d));
  is<bool>(std::isfinite(f));
  is<bool>(std::signbit(f));
}

__global__ void kernel(float f, double d, int i, long l) {
  calls(f, d, i, l, 1u);
  int n;
  float s, c, whole;
  double s2, c2;
  sincosf(f, &s, &c);
  sincos(d, &s2, &c2);
  kept_float = s + c + std::sin(f) + __sinf(f) + __cosf(f) + __expf(f) + __logf(f) + __powf(f, f) +
               __fdividef(f, f) + __saturatef(f) + std::frexp(f, &n) + std::modf(f, &whole) + whole +
               remquof(f, s, &n) + __tanf(f) + __exp10f(f) + __log2f(f) + __log10f(f) + normf(n, &s) +
               rnormf(n, &s) + tgammaf(f) + jnf(n, f) + nanf("");
  kept_double = s2 + c2 + std::pow(f, 2) + std::sqrt(i) + std::log(l) + tgamma(d) + yn(n, d) + nan("") +
                sqrt(2) + std::cos(1);
  kept_integer =
      lround(d) + std::abs(l) + llrint(f) + labs(l) + isnan(f) + std::isinf(d) + signbit(d) + isfinite(f);
}

template <class T>
T of_both(T x) {
  return std::sqrt(std::abs(x)) + std::pow(x, 2) + std::exp(1);
}

int main() {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  const std::complex<double> z = std::exp(std::complex<double>(0, 1));
  const double sum = of_both(normal(random)) + of_both(2.0) + std::sin(1) + rsqrt(4.0) + normcdf(0.0) +
                     std::norm(z) + sinf(1.0f) + fmaxf(1, 2) + abs(-3) + std::max(1, 2) + sinpi(0.5);
  return sum > 0 ? 0 : 1;
}
