// The functions of cuda_fp16.h and cuda_bf16.h: included once by each, after its classes.

#define CUDALABS_JOIN5(a, b, c, d, e) a##b##c##d##e
#define CUDALABS_JOIN5_OF(a, b, c, d, e) CUDALABS_JOIN5(a, b, c, d, e)
/// A name that contains the type's word, __float2half_rn, and one that contains it twice, __half2half2.
#define CUDALABS_NAME(before, after) CUDALABS_JOIN3_OF(before, CUDALABS_WORD, after)
#define CUDALABS_NAME2(before, between, after) \
  CUDALABS_JOIN5_OF(before, CUDALABS_WORD, between, CUDALABS_WORD, after)

namespace cudalabs {
CUDALABS_HOST_DEVICE unsigned short bits_of(CUDALABS_SHORT a) { return static_cast<CUDALABS_RAW>(a).x; }
CUDALABS_HOST_DEVICE unsigned bits_of(const CUDALABS_PAIR& a) {
  unsigned bits;
  __builtin_memcpy(&bits, &a, 4);
  return bits;
}
CUDALABS_HOST_DEVICE float value_of(CUDALABS_SHORT a) { return CUDALABS_FORMAT::value(bits_of(a)); }
}  // namespace cudalabs

// Encodings and parts.
CUDALABS_HOST_DEVICE CUDALABS_SHORT CUDALABS_NAME(__ushort_as_, )(unsigned short bits) {
  return CUDALABS_RAW{bits};
}
CUDALABS_HOST_DEVICE CUDALABS_SHORT CUDALABS_NAME(__short_as_, )(short bits) {
  return CUDALABS_RAW{static_cast<unsigned short>(bits)};
}
CUDALABS_HOST_DEVICE unsigned short CUDALABS_NAME(__, _as_ushort)(CUDALABS_SHORT a) {
  return cudalabs::bits_of(a);
}
CUDALABS_HOST_DEVICE short CUDALABS_NAME(__, _as_short)(CUDALABS_SHORT a) {
  return static_cast<short>(cudalabs::bits_of(a));
}
namespace cudalabs {
/// Converts bits to the type: 16 bits to a number, 32 to a pair.
CUDALABS_HOST_DEVICE CUDALABS_SHORT CUDALABS_NAME(make_, )(unsigned short bits) { return CUDALABS_RAW{bits}; }
CUDALABS_HOST_DEVICE CUDALABS_PAIR CUDALABS_NAME(make_, )(unsigned bits) {
  return bits_as<CUDALABS_PAIR_RAW>(bits);
}
}  // namespace cudalabs
#define CUDALABS_MAKE cudalabs::CUDALABS_NAME(make_, )
#define CUDALABS_BITS(a) cudalabs::bits_of(a)

CUDALABS_HOST_DEVICE CUDALABS_PAIR CUDALABS_NAME(__halves2, 2)(CUDALABS_SHORT a, CUDALABS_SHORT b) {
  return CUDALABS_PAIR(a, b);
}
CUDALABS_HOST_DEVICE CUDALABS_PAIR CUDALABS_NAME(make_, 2)(CUDALABS_SHORT a, CUDALABS_SHORT b) {
  return CUDALABS_PAIR(a, b);
}
CUDALABS_HOST_DEVICE CUDALABS_PAIR CUDALABS_NAME2(__, 2, 2)(CUDALABS_SHORT a) { return CUDALABS_PAIR(a, a); }
CUDALABS_HOST_DEVICE CUDALABS_PAIR CUDALABS_NAME(__low2, 2)(CUDALABS_PAIR a) {
  return CUDALABS_PAIR(a.x, a.x);
}
CUDALABS_HOST_DEVICE CUDALABS_PAIR CUDALABS_NAME(__high2, 2)(CUDALABS_PAIR a) {
  return CUDALABS_PAIR(a.y, a.y);
}
CUDALABS_HOST_DEVICE CUDALABS_PAIR CUDALABS_NAME(__lows2, 2)(CUDALABS_PAIR a, CUDALABS_PAIR b) {
  return CUDALABS_PAIR(a.x, b.x);
}
CUDALABS_HOST_DEVICE CUDALABS_PAIR CUDALABS_NAME(__highs2, 2)(CUDALABS_PAIR a, CUDALABS_PAIR b) {
  return CUDALABS_PAIR(a.y, b.y);
}
CUDALABS_HOST_DEVICE CUDALABS_PAIR __lowhigh2highlow(CUDALABS_PAIR a) { return CUDALABS_PAIR(a.y, a.x); }
CUDALABS_HOST_DEVICE CUDALABS_SHORT CUDALABS_NAME(__low2, )(CUDALABS_PAIR a) { return a.x; }
CUDALABS_HOST_DEVICE CUDALABS_SHORT CUDALABS_NAME(__high2, )(CUDALABS_PAIR a) { return a.y; }

// Conversions.
#define CUDALABS_ROUNDINGS(X, ...)                 \
  X(_rn, cudalabs::Rounding::Nearest, __VA_ARGS__) \
  X(_rz, cudalabs::Rounding::Zero, __VA_ARGS__)    \
  X(_rd, cudalabs::Rounding::Down, __VA_ARGS__) X(_ru, cudalabs::Rounding::Up, __VA_ARGS__)
#define CUDALABS_FROM(suffix, rounding, name, T, As)                                \
  CUDALABS_HOST_DEVICE CUDALABS_SHORT CUDALABS_NAME(__##name##2, suffix)(T value) { \
    return CUDALABS_MAKE(CUDALABS_FORMAT::from<rounding>(static_cast<As>(value)));  \
  }
#define CUDALABS_TO(suffix, rounding, name, T, As)                              \
  CUDALABS_HOST_DEVICE T CUDALABS_NAME(__, 2##name##suffix)(CUDALABS_SHORT a) { \
    return cudalabs::rounded_to<T, rounding>(cudalabs::value_of(a));            \
  }
CUDALABS_ROUNDINGS(CUDALABS_FROM, float, float, float)
CUDALABS_FROM(, cudalabs::Rounding::Nearest, float, float, float)
CUDALABS_FROM(, cudalabs::Rounding::Nearest, double, double, double)
CUDALABS_ROUNDINGS(CUDALABS_FROM, short, short, int)
CUDALABS_ROUNDINGS(CUDALABS_FROM, ushort, unsigned short, unsigned)
CUDALABS_ROUNDINGS(CUDALABS_FROM, int, int, int)
CUDALABS_ROUNDINGS(CUDALABS_FROM, uint, unsigned, unsigned)
CUDALABS_ROUNDINGS(CUDALABS_FROM, ll, long long, long long)
CUDALABS_ROUNDINGS(CUDALABS_FROM, ull, unsigned long long, unsigned long long)
CUDALABS_TO(_rz, cudalabs::Rounding::Zero, char, signed char, )
CUDALABS_TO(_rz, cudalabs::Rounding::Zero, uchar, unsigned char, )
CUDALABS_ROUNDINGS(CUDALABS_TO, short, short, )
CUDALABS_ROUNDINGS(CUDALABS_TO, ushort, unsigned short, )
CUDALABS_ROUNDINGS(CUDALABS_TO, int, int, )
CUDALABS_ROUNDINGS(CUDALABS_TO, uint, unsigned, )
CUDALABS_ROUNDINGS(CUDALABS_TO, ll, long long, )
CUDALABS_ROUNDINGS(CUDALABS_TO, ull, unsigned long long, )
#undef CUDALABS_FROM
#undef CUDALABS_TO
#undef CUDALABS_ROUNDINGS

CUDALABS_HOST_DEVICE float CUDALABS_NAME(__, 2float)(CUDALABS_SHORT a) { return cudalabs::value_of(a); }
CUDALABS_HOST_DEVICE float __low2float(CUDALABS_PAIR a) { return cudalabs::value_of(a.x); }
CUDALABS_HOST_DEVICE float __high2float(CUDALABS_PAIR a) { return cudalabs::value_of(a.y); }
CUDALABS_HOST_DEVICE float2 CUDALABS_NAME(__, 22float2)(CUDALABS_PAIR a) {
  return make_float2(__low2float(a), __high2float(a));
}
CUDALABS_HOST_DEVICE CUDALABS_PAIR CUDALABS_NAME(__floats2, 2_rn)(float a, float b) {
  return CUDALABS_MAKE(CUDALABS_FORMAT::pair_of(a, b));
}
CUDALABS_HOST_DEVICE CUDALABS_PAIR CUDALABS_NAME(__float2, 2_rn)(float a) {
  return CUDALABS_MAKE(CUDALABS_FORMAT::pair_of(a, a));
}
CUDALABS_HOST_DEVICE CUDALABS_PAIR CUDALABS_NAME(__float22, 2_rn)(float2 a) {
  return CUDALABS_MAKE(CUDALABS_FORMAT::pair_of(a.x, a.y));
}

// Arithmetic: the name of the number's function, the pair's name, and the operation.
#define CUDALABS_UNARIES(name, pairs, operation)                        \
  CUDALABS_HOST_DEVICE CUDALABS_SHORT name(CUDALABS_SHORT a) {          \
    return CUDALABS_MAKE(CUDALABS_FORMAT::operation(CUDALABS_BITS(a))); \
  }                                                                     \
  CUDALABS_HOST_DEVICE CUDALABS_PAIR pairs(CUDALABS_PAIR a) {           \
    return CUDALABS_MAKE(CUDALABS_FORMAT::operation(CUDALABS_BITS(a))); \
  }
#define CUDALABS_BINARIES(name, pairs, operation)                                         \
  CUDALABS_HOST_DEVICE CUDALABS_SHORT name(CUDALABS_SHORT a, CUDALABS_SHORT b) {          \
    return CUDALABS_MAKE(CUDALABS_FORMAT::operation(CUDALABS_BITS(a), CUDALABS_BITS(b))); \
  }                                                                                       \
  CUDALABS_HOST_DEVICE CUDALABS_PAIR pairs(CUDALABS_PAIR a, CUDALABS_PAIR b) {            \
    return CUDALABS_MAKE(CUDALABS_FORMAT::operation(CUDALABS_BITS(a), CUDALABS_BITS(b))); \
  }
#define CUDALABS_TERNARIES(name, pairs, operation)                                                          \
  CUDALABS_HOST_DEVICE CUDALABS_SHORT name(CUDALABS_SHORT a, CUDALABS_SHORT b, CUDALABS_SHORT c) {          \
    return CUDALABS_MAKE(CUDALABS_FORMAT::operation(CUDALABS_BITS(a), CUDALABS_BITS(b), CUDALABS_BITS(c))); \
  }                                                                                                         \
  CUDALABS_HOST_DEVICE CUDALABS_PAIR pairs(CUDALABS_PAIR a, CUDALABS_PAIR b, CUDALABS_PAIR c) {             \
    return CUDALABS_MAKE(CUDALABS_FORMAT::operation(CUDALABS_BITS(a), CUDALABS_BITS(b), CUDALABS_BITS(c))); \
  }
CUDALABS_UNARIES(__hneg, __hneg2, neg)
CUDALABS_UNARIES(__habs, __habs2, abs)
CUDALABS_BINARIES(__hadd, __hadd2, add)
CUDALABS_BINARIES(__hsub, __hsub2, sub)
CUDALABS_BINARIES(__hmul, __hmul2, mul)
CUDALABS_BINARIES(__hadd_rn, __hadd2_rn, add_rn)
CUDALABS_BINARIES(__hsub_rn, __hsub2_rn, sub_rn)
CUDALABS_BINARIES(__hmul_rn, __hmul2_rn, mul_rn)
CUDALABS_BINARIES(__hadd_sat, __hadd2_sat, add_sat)
CUDALABS_BINARIES(__hsub_sat, __hsub2_sat, sub_sat)
CUDALABS_BINARIES(__hmul_sat, __hmul2_sat, mul_sat)
CUDALABS_BINARIES(__hmin, __hmin2, min)
CUDALABS_BINARIES(__hmax, __hmax2, max)
CUDALABS_BINARIES(__hmin_nan, __hmin2_nan, min_nan)
CUDALABS_BINARIES(__hmax_nan, __hmax2_nan, max_nan)
CUDALABS_TERNARIES(__hfma, __hfma2, fma)
CUDALABS_TERNARIES(__hfma_sat, __hfma2_sat, fma_sat)
CUDALABS_TERNARIES(__hfma_relu, __hfma2_relu, fma_relu)
#undef CUDALABS_UNARIES
#undef CUDALABS_BINARIES
#undef CUDALABS_TERNARIES
CUDALABS_HOST_DEVICE CUDALABS_SHORT __hdiv(CUDALABS_SHORT a, CUDALABS_SHORT b) {
  return CUDALABS_MAKE(
      CUDALABS_FORMAT::from<cudalabs::Rounding::Nearest>(cudalabs::value_of(a) / cudalabs::value_of(b)));
}
CUDALABS_HOST_DEVICE CUDALABS_PAIR __h2div(CUDALABS_PAIR a, CUDALABS_PAIR b) {
  return CUDALABS_PAIR(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
/// Complex numbers: a b + c.
CUDALABS_HOST_DEVICE CUDALABS_PAIR __hcmadd(CUDALABS_PAIR a, CUDALABS_PAIR b, CUDALABS_PAIR c) {
  const CUDALABS_PAIR first = __hfma2(CUDALABS_PAIR(a.x, a.x), b, c);
  return __hfma2(CUDALABS_PAIR(__hneg(a.y), a.y), CUDALABS_PAIR(b.y, b.x), first);
}

// Comparisons: of numbers, of pairs with a result of numbers or masks, and of pairs for both elements.
#define CUDALABS_COMPARISON(name, ...)                                                      \
  CUDALABS_HOST_DEVICE bool __h##name(CUDALABS_SHORT a, CUDALABS_SHORT b) {                 \
    return CUDALABS_FORMAT::name(CUDALABS_BITS(a), CUDALABS_BITS(b));                       \
  }                                                                                         \
  CUDALABS_HOST_DEVICE CUDALABS_PAIR __h##name##2(CUDALABS_PAIR a, CUDALABS_PAIR b) {       \
    return CUDALABS_MAKE(CUDALABS_FORMAT::name##_ones(CUDALABS_BITS(a), CUDALABS_BITS(b))); \
  }                                                                                         \
  CUDALABS_HOST_DEVICE unsigned __h##name##2_mask(CUDALABS_PAIR a, CUDALABS_PAIR b) {       \
    return CUDALABS_FORMAT::name##_mask(CUDALABS_BITS(a), CUDALABS_BITS(b));                \
  }                                                                                         \
  CUDALABS_HOST_DEVICE bool __hb##name##2(CUDALABS_PAIR a, CUDALABS_PAIR b) {               \
    return CUDALABS_FORMAT::name##_mask(CUDALABS_BITS(a), CUDALABS_BITS(b)) == 0xFFFFFFFFu; \
  }
CUDALABS_COMPARISONS(CUDALABS_COMPARISON)
#undef CUDALABS_COMPARISON
CUDALABS_HOST_DEVICE bool __hisnan(CUDALABS_SHORT a) {
  return !CUDALABS_FORMAT::eq(CUDALABS_BITS(a), CUDALABS_BITS(a));
}
CUDALABS_HOST_DEVICE CUDALABS_PAIR __hisnan2(CUDALABS_PAIR a) { return __hneu2(a, a); }
CUDALABS_HOST_DEVICE int __hisinf(CUDALABS_SHORT a) {
  constexpr unsigned kInfinity = ((1u << CUDALABS_FORMAT::kExponent) - 1) << CUDALABS_FORMAT::kFraction;
  const unsigned bits = CUDALABS_BITS(a);
  return bits == kInfinity ? 1 : bits == (kInfinity | 0x8000u) ? -1 : 0;
}

// The host's half of a file parses kernels, too: it only declares functions that only device code has.
#ifdef __CUDA_ARCH__
#define CUDALABS_BODY(...) \
  { __VA_ARGS__ }
#else
#define CUDALABS_BODY(...) ;
#endif

// Functions computed in float and rounded: the number's name and the pair's.
#define CUDALABS_ROUNDED(...)            \
  const float x = cudalabs::value_of(a); \
  return CUDALABS_MAKE(CUDALABS_FORMAT::from<cudalabs::Rounding::Nearest>(__VA_ARGS__));
#define CUDALABS_WHOLE(name, pairs, ...)                                \
  CUDALABS_HOST_DEVICE CUDALABS_SHORT name(CUDALABS_SHORT a){           \
      CUDALABS_ROUNDED(__VA_ARGS__)} CUDALABS_HOST_DEVICE CUDALABS_PAIR \
  pairs(CUDALABS_PAIR a) {                                              \
    return CUDALABS_PAIR(name(a.x), name(a.y));                         \
  }
#define CUDALABS_FUNCTION(name, pairs, ...)                                                          \
  CUDALABS_DEVICE CUDALABS_SHORT name(CUDALABS_SHORT a) CUDALABS_BODY(CUDALABS_ROUNDED(__VA_ARGS__)) \
      CUDALABS_DEVICE CUDALABS_PAIR                                                                  \
      pairs(CUDALABS_PAIR a) CUDALABS_BODY(return CUDALABS_PAIR(name(a.x), name(a.y));)
CUDALABS_WHOLE(htrunc, h2trunc, __builtin_truncf(x))
CUDALABS_WHOLE(hceil, h2ceil, __builtin_ceilf(x))
CUDALABS_WHOLE(hfloor, h2floor, __builtin_floorf(x))
CUDALABS_WHOLE(hrint, h2rint, __builtin_rintf(x))
CUDALABS_FUNCTION(hsqrt, h2sqrt, cudalabs::approximate_sqrt(x))
CUDALABS_FUNCTION(hrsqrt, h2rsqrt, cudalabs::approximate_rsqrt(x))
CUDALABS_FUNCTION(hrcp, h2rcp, cudalabs::approximate_rcp(x))
CUDALABS_FUNCTION(hlog2, h2log2, cudalabs::approximate_lg2(x))
CUDALABS_FUNCTION(hlog, h2log, cudalabs::approximate_lg2(x) * 0.693147181f)
CUDALABS_FUNCTION(hlog10, h2log10, cudalabs::approximate_lg2(x) * 0.301029996f)
CUDALABS_FUNCTION(hexp2, h2exp2, cudalabs::approximate_ex2(x))
CUDALABS_FUNCTION(hexp, h2exp, cudalabs::approximate_ex2(x * 1.44269504f))
CUDALABS_FUNCTION(hexp10, h2exp10, cudalabs::approximate_ex2(x * 3.32192809f))
CUDALABS_FUNCTION(hsin, h2sin, sinf(x))
CUDALABS_FUNCTION(hcos, h2cos, cosf(x))
CUDALABS_FUNCTION(htanh, h2tanh, tanhf(x))
#undef CUDALABS_FUNCTION
#undef CUDALABS_WHOLE
#undef CUDALABS_ROUNDED

CUDALABS_DEVICE CUDALABS_SHORT htanh_approx(CUDALABS_SHORT a)
    CUDALABS_BODY(return CUDALABS_MAKE(CUDALABS_FORMAT::tanh_approx(CUDALABS_BITS(a)));)
        CUDALABS_DEVICE CUDALABS_PAIR
    h2tanh_approx(CUDALABS_PAIR a) CUDALABS_BODY(return CUDALABS_PAIR(htanh_approx(a.x), htanh_approx(a.y));)

#define CUDALABS_EACH(T, constraint, width)                    \
  CUDALABS_SHUFFLE(T, __shfl_sync, int)                        \
  CUDALABS_SHUFFLE(T, __shfl_up_sync, unsigned)                \
  CUDALABS_SHUFFLE(T, __shfl_down_sync, unsigned)              \
  CUDALABS_SHUFFLE(T, __shfl_xor_sync, int)                    \
  CUDALABS_LOAD(T, __ldg, "ld.global.nc", constraint, width)   \
  CUDALABS_LOAD(T, __ldcg, "ld.global.cg", constraint, width)  \
  CUDALABS_LOAD(T, __ldca, "ld.global.ca", constraint, width)  \
  CUDALABS_LOAD(T, __ldcs, "ld.global.cs", constraint, width)  \
  CUDALABS_LOAD(T, __ldlu, "ld.global.lu", constraint, width)  \
  CUDALABS_LOAD(T, __ldcv, "ld.global.cv", constraint, width)  \
  CUDALABS_STORE(T, __stwb, "st.global.wb", constraint, width) \
  CUDALABS_STORE(T, __stcg, "st.global.cg", constraint, width) \
  CUDALABS_STORE(T, __stcs, "st.global.cs", constraint, width) \
  CUDALABS_STORE(T, __stwt, "st.global.wt", constraint, width) \
  CUDALABS_DEVICE T atomicAdd(T* address, T value)             \
      CUDALABS_BODY(return CUDALABS_MAKE(CUDALABS_FORMAT::atomic_add(address, CUDALABS_BITS(value)));)
#define CUDALABS_SHUFFLE(T, name, Where)                                              \
  CUDALABS_DEVICE T name(unsigned mask, T value, Where where, int width = 32)         \
      CUDALABS_BODY(return CUDALABS_MAKE(static_cast<decltype(CUDALABS_BITS(value))>( \
          name(mask, static_cast<unsigned>(CUDALABS_BITS(value)), where, width)));)
// The compiler must not drop or move a load of data that others may write; __ldg loads constant data.
#define CUDALABS_LOAD(T, name, instruction, constraint, width)                                           \
  CUDALABS_DEVICE T name(const T* from)                                                                  \
      CUDALABS_BODY(decltype(CUDALABS_BITS(*from)) bits; asm volatile(instruction "." width " %0, [%1];" \
                                                                      : "=" constraint(bits)             \
                                                                      : "l"(from)                        \
                                                                      : "memory");                       \
                    return CUDALABS_MAKE(bits);)
#define CUDALABS_STORE(T, name, instruction, constraint, width)              \
  CUDALABS_DEVICE void name(T* to, T value)                                  \
      CUDALABS_BODY(asm volatile(instruction "." width " [%0], %1;"          \
                                 :                                           \
                                 : "l"(to), constraint(CUDALABS_BITS(value)) \
                                 : "memory");)
        CUDALABS_EACH(CUDALABS_SHORT, "h", "b16") CUDALABS_EACH(CUDALABS_PAIR, "r", "b32")
#undef CUDALABS_EACH
#undef CUDALABS_SHUFFLE
#undef CUDALABS_LOAD
#undef CUDALABS_STORE
#undef CUDALABS_BODY

// Operators.
#define CUDALABS_OPERATORS(T, add, sub, mul, div, neg, eq, ne, gt, lt, ge, le, one) \
  CUDALABS_HOST_DEVICE T operator+(const T& a, const T& b) { return add(a, b); }    \
  CUDALABS_HOST_DEVICE T operator-(const T& a, const T& b) { return sub(a, b); }    \
  CUDALABS_HOST_DEVICE T operator*(const T& a, const T& b) { return mul(a, b); }    \
  CUDALABS_HOST_DEVICE T operator/(const T& a, const T& b) { return div(a, b); }    \
  CUDALABS_HOST_DEVICE T& operator+=(T& a, const T& b) { return a = add(a, b); }    \
  CUDALABS_HOST_DEVICE T& operator-=(T& a, const T& b) { return a = sub(a, b); }    \
  CUDALABS_HOST_DEVICE T& operator*=(T& a, const T& b) { return a = mul(a, b); }    \
  CUDALABS_HOST_DEVICE T& operator/=(T& a, const T& b) { return a = div(a, b); }    \
  CUDALABS_HOST_DEVICE T& operator++(T& a) { return a = add(a, one); }              \
  CUDALABS_HOST_DEVICE T& operator--(T& a) { return a = sub(a, one); }              \
  CUDALABS_HOST_DEVICE T operator++(T& a, int) {                                    \
    const T before = a;                                                             \
    ++a;                                                                            \
    return before;                                                                  \
  }                                                                                 \
  CUDALABS_HOST_DEVICE T operator--(T& a, int) {                                    \
    const T before = a;                                                             \
    --a;                                                                            \
    return before;                                                                  \
  }                                                                                 \
  CUDALABS_HOST_DEVICE T operator+(const T& a) { return a; }                        \
  CUDALABS_HOST_DEVICE T operator-(const T& a) { return neg(a); }                   \
  CUDALABS_HOST_DEVICE bool operator==(const T& a, const T& b) { return eq(a, b); } \
  CUDALABS_HOST_DEVICE bool operator!=(const T& a, const T& b) { return ne(a, b); } \
  CUDALABS_HOST_DEVICE bool operator>(const T& a, const T& b) { return gt(a, b); }  \
  CUDALABS_HOST_DEVICE bool operator<(const T& a, const T& b) { return lt(a, b); }  \
  CUDALABS_HOST_DEVICE bool operator>=(const T& a, const T& b) { return ge(a, b); } \
  CUDALABS_HOST_DEVICE bool operator<=(const T& a, const T& b) { return le(a, b); }
#define CUDALABS_ONE CUDALABS_MAKE(CUDALABS_FORMAT::kOne)
#ifndef CUDALABS_NO_OPERATORS
            CUDALABS_OPERATORS(CUDALABS_SHORT, __hadd, __hsub, __hmul, __hdiv, __hneg, __heq, __hneu, __hgt,
                               __hlt, __hge, __hle, CUDALABS_ONE)
#endif
#ifndef CUDALABS_NO_PAIR_OPERATORS
                CUDALABS_OPERATORS(CUDALABS_PAIR, __hadd2, __hsub2, __hmul2, __h2div, __hneg2, __hbeq2,
                                   __hbneu2, __hbgt2, __hblt2, __hbge2, __hble2,
                                   CUDALABS_PAIR(CUDALABS_ONE, CUDALABS_ONE))
#endif
#undef CUDALABS_OPERATORS
#undef CUDALABS_ONE

#undef CUDALABS_JOIN3
#undef CUDALABS_JOIN3_OF
#undef CUDALABS_JOIN5
#undef CUDALABS_JOIN5_OF
#undef CUDALABS_NAME
#undef CUDALABS_NAME2
#undef CUDALABS_RAW
#undef CUDALABS_PAIR_RAW
#undef CUDALABS_MAKE
#undef CUDALABS_BITS
#undef CUDALABS_FORMAT
#undef CUDALABS_WORD
#undef CUDALABS_SHORT
#undef CUDALABS_PAIR
#undef CUDALABS_OTHER
#undef CUDALABS_NO_OPERATORS
#undef CUDALABS_NO_PAIR_OPERATORS
#undef CUDALABS_NO_CONVERSIONS
