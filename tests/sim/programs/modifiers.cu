// What modifiers do at the edges: .sat and .ftz in all their places, div.approx beyond its range, bit fields whose
// numbers are more than a byte.
#include "check.cuh"

#define ASM(R, output, input, A, text) ({ R r_; asm(text : output(r_) : input(a)); r_; })

static float from_bits(u32 bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
static double half_value(u16 h) {
  const int stored = (h >> 10) & 31, fraction = h & 0x3FF;
  const double v = stored == 31 ? (fraction ? NAN : INFINITY) : std::ldexp(stored ? fraction + 1024 : fraction, (stored ? stored : 1) - 25);
  return h & 0x8000 ? -v : v;
}
static u16 half_flushed(u16 h) { return (h & 0x7C00) == 0 ? h & 0x8000 : h; }
/// To f16, to nearest even; below the normal numbers a zero. Every value is halfway at most between its neighbours
/// or has fewer digits, and none is so close to 2^-14 that it matters when it is flushed.
static u16 half_ftz(double v) {
  const u16 sign = std::signbit(v) ? 0x8000 : 0;
  if (v != v) return 0x7FFF;
  const double a = std::fabs(v);
  if (a < std::ldexp(1.0, -14)) return sign;
  if (a >= 65520) return sign | 0x7C00;
  int e;
  std::frexp(a, &e);
  return static_cast<u16>(sign + ((e + 13) << 10) + static_cast<int>(std::nearbyint(std::ldexp(a, 11 - e))));
}

// .sat from integers: into [0, 1], before the result is rounded to its type.
#define SAT(name, To, output, From, input, text)                                                              \
  OPERATION(name, To, (From a), ASM(To, output, input, a, text), static_cast<To>(a > 0 ? 1 : 0))
SAT(sat_f32_s32, float, "=f", s32, "r", "cvt.rn.sat.f32.s32 %0, %1;")
SAT(sat_f32_u32, float, "=f", u32, "r", "cvt.rp.sat.f32.u32 %0, %1;")
SAT(sat_f32_s64, float, "=f", s64, "l", "cvt.rz.ftz.sat.f32.s64 %0, %1;")
SAT(sat_f64_s32, double, "=d", s32, "r", "cvt.rm.sat.f64.s32 %0, %1;")
SAT(sat_f64_u64, double, "=d", u64, "l", "cvt.rn.sat.f64.u64 %0, %1;")
OPERATION(sat_f16_s32, u32, (s32 a), ASM(u16, "=h", "r", a, "cvt.rn.sat.f16.s32 %0, %1;"), (a > 0 ? 0x3C00 : 0))

// div.approx is a product with the reciprocal: 0 for a divisor above 2^126, which the reciprocal is too small for.
#define DIVIDE(text) ({ float r_; asm(text : "=f"(r_) : "f"(a), "f"(b)); r_; })
static float approximately(float a, float b) {
  if (std::fabs(b) <= from_bits(0x7E800000)) return a / b;
  return a * std::copysign(0.0f, b);
}
OPERATION(div_approx, float, (float a, float b), DIVIDE("div.approx.f32 %0, %1, %2;"), approximately(a, b))
OPERATION(div_approx_ftz, float, (float a, float b), DIVIDE("div.approx.ftz.f32 %0, %1, %2;"), approximately(a, b))
OPERATION(div_full, float, (float a, float b), DIVIDE("div.full.f32 %0, %1, %2;"), a / b)

// .ftz of f16: operands and result.
#define HALVES(name, text, host_side)                                                                          \
  OPERATION(name, u32, (u16 a, u16 b), ({ u16 r_; asm(text : "=h"(r_) : "h"(a), "h"(b)); (r_ & 0x7FFF) > 0x7C00 ? 0x7FFF : r_; }), \
            ({ const double x = half_value(half_flushed(a)), y = half_value(half_flushed(b)); host_side; }))
HALVES(add_ftz, "add.ftz.f16 %0, %1, %2;", half_ftz(x + y))
HALVES(sub_ftz, "sub.ftz.f16 %0, %1, %2;", half_ftz(x - y))
HALVES(mul_ftz, "mul.ftz.f16 %0, %1, %2;", half_ftz(x * y))
HALVES(add_ftz_sat, "add.ftz.sat.f16 %0, %1, %2;", half_ftz(({ const double s = half_value(half_ftz(x + y)); s > 0 ? (s < 1 ? s : 1.0) : 0.0; })))
HALVES(fma_ftz, "fma.rn.ftz.f16 %0, %1, %2, %1;", half_ftz(x * y + x))
HALVES(min_ftz, "min.ftz.f16 %0, %1, %2;", half_ftz(x != x ? y : y != y ? x : x == y ? (std::signbit(x) ? x : y) : x < y ? x : y))
HALVES(max_ftz, "max.ftz.f16 %0, %1, %2;", half_ftz(x != x ? y : y != y ? x : x == y ? (std::signbit(x) ? y : x) : x > y ? x : y))
HALVES(neg_ftz, "{.reg .b16 t; neg.ftz.f16 %0, %1; mov.b16 t, %2;}", ((void)y, half_ftz(-x)))
HALVES(abs_ftz, "{.reg .b16 t; abs.ftz.f16 %0, %1; mov.b16 t, %2;}", ((void)y, half_ftz(std::fabs(x))))
OPERATION(less_ftz, int, (u16 a, u16 b), ({ int r_; asm("{.reg .pred p; setp.lt.ftz.f16 p, %1, %2; selp.b32 %0, 1, 0, p;}" : "=r"(r_) : "h"(a), "h"(b)); r_; }),
          half_value(half_flushed(a)) < half_value(half_flushed(b)))
OPERATION(equal_ftz, u32, (u16 a, u16 b), ({ u32 r_; asm("set.eq.ftz.u32.f16 %0, %1, %2;" : "=r"(r_) : "h"(a), "h"(b)); r_; }),
          (half_value(half_flushed(a)) == half_value(half_flushed(b)) ? ~0u : 0u))
// Pairs: each half by itself.
static u32 pair(u16 low, u16 high) { return low | u32{high} << 16; }
OPERATION(add_pair_ftz, u32, (u16 a, u16 b), ({ u32 r_; asm("{.reg .b32 x, y; mov.b32 x, {%1, %2}; mov.b32 y, {%2, %2}; add.ftz.f16x2 %0, x, y;}" : "=r"(r_) : "h"(a), "h"(b)); r_; }),
          pair(half_ftz(half_value(half_flushed(a)) + half_value(half_flushed(b))), half_ftz(2 * half_value(half_flushed(b)))))
OPERATION(neg_pair_ftz, u32, (u16 a, u16 b), ({ u32 r_; asm("{.reg .b32 x; mov.b32 x, {%1, %2}; neg.ftz.f16x2 %0, x;}" : "=r"(r_) : "h"(a), "h"(b)); r_; }),
          pair(half_ftz(-half_value(half_flushed(a))), half_ftz(-half_value(half_flushed(b)))))
OPERATION(abs_pair, u32, (u16 a, u16 b), ({ u32 r_; asm("{.reg .b32 x; mov.b32 x, {%1, %2}; abs.f16x2 %0, x;}" : "=r"(r_) : "h"(a), "h"(b)); r_; }),
          pair(half_value(a) != half_value(a) ? 0x7FFF : a & 0x7FFF, half_value(b) != half_value(b) ? 0x7FFF : b & 0x7FFF))
OPERATION(neg_bpair, u32, (u16 a, u16 b), ({ u32 r_; asm("{.reg .b32 x; mov.b32 x, {%1, %2}; neg.bf16x2 %0, x;}" : "=r"(r_) : "h"(a), "h"(b)); r_; }),
          pair(a ^ 0x8000, b ^ 0x8000))
OPERATION(less_pair_ftz, u32, (u16 a, u16 b), ({ u32 r_; asm("{.reg .b32 x, y; mov.b32 x, {%1, %2}; mov.b32 y, {%2, %1}; set.lt.ftz.f16x2.f16x2 %0, x, y;}" : "=r"(r_) : "h"(a), "h"(b)); r_; }),
          ({ const double x = half_value(half_flushed(a)), y = half_value(half_flushed(b)); pair(x < y ? 0x3C00 : 0, y < x ? 0x3C00 : 0); }))

// bfi.b64 and bfe.b64 take all bits of position and length, those of 32 bits the low byte.
template <class T>
static T inserted(T a, T b, u32 c, u32 d) {
  const u32 bits = sizeof(T) * 8;
  if (bits == 32) c &= 255, d &= 255;
  T r = b;
  for (u32 i = 0; i < bits && i < d && c < bits && c + i < bits; ++i)
    r = (r & ~(T{1} << (c + i))) | (((a >> i) & 1) << (c + i));
  return r;
}
template <class T>
static T extracted(T a, u32 c, u32 d) {
  const u32 bits = sizeof(T) * 8;
  if (bits == 32) c &= 255, d &= 255;
  T r = 0;
  for (u32 i = 0; i < bits && i < d && c < bits && c + i < bits; ++i) r |= ((a >> (c + i)) & 1) << i;
  return r;
}
OPERATION(insert64, u64, (u64 a, u32 c, u32 d), ({ u64 r_; asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(r_) : "l"(a), "l"(~a), "r"(c), "r"(d)); r_; }), inserted<u64>(a, ~a, c, d))
OPERATION(insert32, u32, (u32 a, u32 c, u32 d), ({ u32 r_; asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r_) : "r"(a), "r"(~a), "r"(c), "r"(d)); r_; }), inserted<u32>(a, ~a, c, d))
OPERATION(extract64, u64, (u64 a, u32 c, u32 d), ({ u64 r_; asm("bfe.u64 %0, %1, %2, %3;" : "=l"(r_) : "l"(a), "r"(c), "r"(d)); r_; }), extracted<u64>(a, c, d))
OPERATION(extract32, u32, (u32 a, u32 c, u32 d), ({ u32 r_; asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r_) : "r"(a), "r"(c), "r"(d)); r_; }), extracted<u32>(a, c, d))

// cvt.ftz to f16 is cvt to f16: what is subnormal in f32 still rounds up or down.
static u16 to_half_directed(float v, bool up) {
  const u16 sign = std::signbit(v) ? 0x8000 : 0;
  if (v != v) return 0x7FFF;
  const bool away = up != (sign != 0);
  const double a = std::fabs(static_cast<double>(v));
  if (a == INFINITY) return sign | 0x7C00;
  int e;
  std::frexp(a, &e);
  if (a == 0 || e < -13) e = -13;
  const double m = std::ldexp(a, 11 - e), r = away ? std::ceil(m) : std::floor(m);
  const double whole = (e + 13) * 1024.0 + r;
  return static_cast<u16>(sign | (whole >= 0x7C00 ? (away ? 0x7C00 : 0x7BFF) : static_cast<u16>(whole)));
}
#define TO_HALF(name, text, up) OPERATION(name, u32, (float a), ({ u16 r_; asm(text : "=h"(r_) : "f"(a)); (r_ & 0x7FFF) > 0x7C00 ? 0x7FFF : r_; }), to_half_directed(a, up))
TO_HALF(half_rp_ftz, "cvt.rp.ftz.f16.f32 %0, %1;", true)
TO_HALF(half_rm_ftz, "cvt.rm.ftz.f16.f32 %0, %1;", false)
TO_HALF(half_rp, "cvt.rp.f16.f32 %0, %1;", true)

// .ftz flushes what 24 bits cannot bring up to 2^-126, whatever a gradual underflow would have made of it.
static float reciprocal(float a) {
  if (std::fabs(a) < from_bits(0x00800000)) return std::copysign(INFINITY, a);
  if (std::fabs(a) > from_bits(0x7E800000)) return a != a ? a : std::copysign(0.0f, a);
  return NAN;  // not asked
}
#define RECIPROCAL(name, text) OPERATION(name, float, (float a), ASM(float, "=f", "f", a, text), reciprocal(a))
RECIPROCAL(rcp_rp_ftz, "rcp.rp.ftz.f32 %0, %1;")
RECIPROCAL(rcp_rm_ftz, "rcp.rm.ftz.f32 %0, %1;")
RECIPROCAL(rcp_rn_ftz, "rcp.rn.ftz.f32 %0, %1;")
RECIPROCAL(rcp_rz_ftz, "rcp.rz.ftz.f32 %0, %1;")
static float narrowed(double v, char mode) {
  const bool away = mode == 'p' ? v > 0 : mode == 'm' ? v < 0 : false;
  const double limit = std::ldexp(1.0, -126) - (mode == 'n' ? std::ldexp(1.0, -151) : away ? std::ldexp(1.0, -150) : 0);
  return static_cast<float>(std::copysign((away ? std::fabs(v) <= limit : std::fabs(v) < limit) ? 0.0 : std::ldexp(1.0, -126), v));
}
#define NARROW(name, text, mode) OPERATION(name, float, (double a), ASM(float, "=f", "d", a, text), narrowed(a, mode))
NARROW(narrow_rn_ftz, "cvt.rn.ftz.f32.f64 %0, %1;", 'n')
NARROW(narrow_rz_ftz, "cvt.rz.ftz.f32.f64 %0, %1;", 'z')
NARROW(narrow_rm_ftz, "cvt.rm.ftz.f32.f64 %0, %1;", 'm')
NARROW(narrow_rp_ftz, "cvt.rp.ftz.f32.f64 %0, %1;", 'p')

// .ftz flushes what is below 2^-126 once it is rounded to 24 digits, in the direction that is asked for.
static float product(float a, float b, char mode) { return narrowed(double{a} * b, mode); }
#define PRODUCT(mode, c)                                                                                        \
  OPERATION(mul_##mode##_ftz, float, (float a, float b), DIVIDE("mul." #mode ".ftz.f32 %0, %1, %2;"), product(a, b, c)) \
  OPERATION(fma_##mode##_ftz, float, (float a, float b), DIVIDE("{.reg .f32 z; mov.f32 z, 0f00000000; fma." #mode ".ftz.f32 %0, %1, %2, z;}"), product(a, b, c)) \
  OPERATION(div_##mode##_ftz, float, (float a, float b), DIVIDE("div." #mode ".ftz.f32 %0, %1, %2;"), narrowed(double{a} / b, c))
PRODUCT(rn, 'n')
PRODUCT(rz, 'z')
PRODUCT(rm, 'm')
PRODUCT(rp, 'p')

int main() {
  check<sat_f32_s32>(integers<s32>()); check<sat_f32_u32>(integers<u32>()); check<sat_f32_s64>(integers<s64>());
  check<sat_f64_s32>(integers<s32>()); check<sat_f64_u64>(integers<u64>()); check<sat_f16_s32>(integers<s32>());

  // At 2^126 and on both sides of it, up to the largest number and infinity.
  std::vector<float> large;
  for (const u32 bits : {0x7E7FFFFFu, 0x7E800000u, 0x7E800001u, 0x7E800002u, 0x7F000000u, 0x7F7FFFFFu, 0x7F800000u}) {
    large.push_back(from_bits(bits));
    large.push_back(-from_bits(bits));
  }
  std::vector<float> numerators{0.0f, -0.0f, 1.0f, -3.0f, 1e38f, -1e38f, INFINITY, -INFINITY, NAN};
  const std::vector<float> beyond(large.begin() + 4, large.end());
  check<div_approx>(numerators, beyond); check<div_approx_ftz>(numerators, beyond);
  check<div_approx>(std::vector<float>{1.0f, -3.0f, 1e30f}, std::vector<float>{1.0f, 3.0f, -7e20f}, 2);
  check<div_full>(std::vector<float>{1e38f, -1e38f}, std::vector<float>{large[4], large[5], large[8]}, 2);

  std::vector<u16> halves;
  for (const u16 h : {0x0000, 0x0001, 0x0200, 0x03FF, 0x0400, 0x0401, 0x0600, 0x07FF, 0x0801, 0x3800, 0x3C00, 0x3C01, 0x4200, 0x7800, 0x7BFF, 0x7C00, 0x7E00}) {
    halves.push_back(h);
    halves.push_back(h | 0x8000);
  }
  check<add_ftz>(halves, halves); check<sub_ftz>(halves, halves); check<add_ftz_sat>(halves, halves);
  check<min_ftz>(halves, halves); check<max_ftz>(halves, halves); check<neg_ftz>(halves, halves); check<abs_ftz>(halves, halves);
  check<less_ftz>(halves, halves); check<equal_ftz>(halves, halves);
  std::vector<u16> factors;  // without 0x7FF: half of it has 11 digits just below the normal numbers
  for (const u16 h : halves) if ((h & 0x7FFF) != 0x07FF) factors.push_back(h);
  check<mul_ftz>(factors, std::vector<u16>{0x3800, 0x3C00, 0x4200, 0x0001, 0x8400, 0xB400}); check<fma_ftz>(factors, std::vector<u16>{0x3800, 0xBC00, 0x0001, 0xB800});
  const std::vector<u16> numbers(halves.begin(), halves.end() - 4);
  check<add_pair_ftz>(numbers, std::vector<u16>{0x0001, 0x83FF, 0x0400, 0x3C00}); check<neg_pair_ftz>(halves, halves); check<abs_pair>(halves, halves); check<neg_bpair>(halves, halves); check<less_pair_ftz>(halves, halves);

  const std::vector<u32> places{0, 1, 8, 31, 32, 33, 63, 64, 255, 256, 257, 264, 0x10000, 0x80000001u, 0xFFFFFFFFu};
  const std::vector<u64> words{0x0123456789ABCDEFull, 0xFEDCBA9876543210ull, ~0ull};
  const std::vector<u32> short_words{0x89ABCDEFu, 0x76543210u, ~0u};
  check<insert64>(words, places, places); check<insert32>(short_words, places, places);
  check<extract64>(words, places, places); check<extract32>(short_words, places, places);

  std::vector<float> f = floats<float>();
  for (const u32 bits : {0x00000001u, 0x007FFFFFu, 0x80000001u, 0x807FFFFFu}) f.push_back(from_bits(bits));
  check<half_rp_ftz>(f); check<half_rm_ftz>(f); check<half_rp>(f);

  std::vector<float> extreme = beyond;
  for (const u32 bits : {0x00000000u, 0x00000001u, 0x007FFFFFu, 0x80000000u, 0x80000001u, 0x807FFFFFu}) extreme.push_back(from_bits(bits));
  check<rcp_rp_ftz>(extreme); check<rcp_rm_ftz>(extreme); check<rcp_rn_ftz>(extreme); check<rcp_rz_ftz>(extreme);
  const auto signs = [](std::vector<u32> bits) {
    std::vector<float> both;
    for (const u32 b : bits) both.insert(both.end(), {from_bits(b), -from_bits(b)});
    return both;
  };
  // Just below 1, times just above 2^-126 and by just above 2^126: at most 2^-126, by some parts of a last place less.
  const std::vector<float> below = signs({0x3F7FF2B8, 0x3F7FFFFF, 0x3F7FFFFE, 0x3F7FFFFD});
  for (const float a : below) {
    const std::vector<float> one{a};
    for (const float b : signs({0x00800000, 0x00800001, 0x008006A4})) {
      if (std::fabs(double{a} * b) > std::ldexp(1.0, -126)) continue;
      const std::vector<float> other{b};
      check<mul_rn_ftz>(one, other); check<mul_rz_ftz>(one, other); check<mul_rm_ftz>(one, other); check<mul_rp_ftz>(one, other);
      check<fma_rn_ftz>(one, other); check<fma_rz_ftz>(one, other); check<fma_rm_ftz>(one, other); check<fma_rp_ftz>(one, other);
    }
    const std::vector<float> divisors = signs({0x7E800000, 0x7E800001});
    check<div_rn_ftz>(one, divisors); check<div_rz_ftz>(one, divisors); check<div_rm_ftz>(one, divisors); check<div_rp_ftz>(one, divisors);
  }
  std::vector<double> edge;  // no multiple of a half of the last place: those are ties
  for (const double below : {0.0, -155.0, -152.0, -150.5, -149.5, -148.5, -140.5, -130.5}) {
    const double v = std::ldexp(1.0, -126) - (below == 0 ? 0 : std::exp2(below));
    edge.push_back(v);
    edge.push_back(-v);
  }
  check<narrow_rn_ftz>(edge); check<narrow_rz_ftz>(edge); check<narrow_rm_ftz>(edge); check<narrow_rp_ftz>(edge);
  return finish();
}
