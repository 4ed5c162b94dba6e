// half and bfloat16, alone and in pairs, against a rounding of the exact result.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.cuh"

/// Host side: a format by its precision; rounds a double to nearest even and encodes.
static u16 encode(double v, int digits, int least, int exponent_bits) {
  const u16 sign = std::signbit(v) ? 0x8000 : 0;
  const u16 infinity = static_cast<u16>(((1 << exponent_bits) - 1) << (digits - 1));
  if (v != v) return 0x7FFF;
  double a = std::fabs(v);
  if (a == 0) return sign;
  if (a == INFINITY) return sign | infinity;
  int e;
  std::frexp(a, &e);
  e = e - 1 < least ? least : e - 1;
  const double unit = std::ldexp(1.0, e - digits + 1);
  a = std::nearbyint(a / unit);  // exact: a / unit has at most 53 bits
  const double bits = (e - least) * std::ldexp(1.0, digits - 1) + a;
  return static_cast<u16>(sign | (bits >= infinity ? infinity : static_cast<u16>(bits)));
}
static u16 to_half(double v) { return encode(v, 11, -14, 5); }
static u16 to_bf16(double v) { return encode(v, 8, -126, 8); }
static double decode(u16 h, int digits, int least, int exponent_bits) {
  const int stored = (h & 0x7FFF) >> (digits - 1), top = (1 << exponent_bits) - 1;
  const int fraction = h & ((1 << (digits - 1)) - 1);
  double v = stored == top ? (fraction ? NAN : INFINITY)
                           : std::ldexp(stored ? fraction + (1 << (digits - 1)) : fraction, (stored ? stored : 1) - 1 + least - digits + 1);
  return h & 0x8000 ? -v : v;
}
static double half_value(u16 h) { return decode(h, 11, -14, 5); }
static double bf16_value(u16 h) { return decode(h, 8, -126, 8); }
/// NaNs of any payload are one.
static u16 same_nan(u16 h, bool is_half) { return (is_half ? half_value(h) : bf16_value(h)) != (is_half ? half_value(h) : bf16_value(h)) ? 0x7FFF : h; }

#define H(x) __ushort_as_half(x)
#define B(x) __ushort_as_bfloat16(x)
#define UH(x) __half_as_ushort(x)
#define UB(x) __bfloat16_as_ushort(x)
#define HALF2(name, device_side, host_side) OPERATION(name, u32, (u16 a, u16 b), ({ const u16 r_ = device_side; __hisnan(H(r_)) ? 0x7FFF : r_; }), ({ const double x = half_value(a), y = half_value(b); same_nan(to_half(host_side), true); }))
#define BF2(name, device_side, host_side) OPERATION(name, u32, (u16 a, u16 b), ({ const u16 r_ = device_side; __hisnan(B(r_)) ? 0x7FFF : r_; }), ({ const double x = bf16_value(a), y = bf16_value(b); same_nan(to_bf16(host_side), false); }))
HALF2(hadd, UH(__hadd(H(a), H(b))), x + y)
HALF2(hsub, UH(__hsub(H(a), H(b))), x - y)
HALF2(hmul, UH(__hmul(H(a), H(b))), x * y)
HALF2(hfma, UH(__hfma(H(a), H(b), H(a))), x * y + x)
HALF2(hmin, UH(__hmin(H(a), H(b))), x != x ? y : y != y ? x : x == y ? (std::signbit(x) ? x : y) : x < y ? x : y)
HALF2(hmax_nan, UH(__hmax_nan(H(a), H(b))), x != x || y != y ? NAN : x == y ? (std::signbit(x) ? y : x) : x > y ? x : y)
HALF2(hadd_sat, UH(__hadd_sat(H(a), H(b))), ({ const double s = half_value(to_half(x + y)); s > 0 ? (s < 1 ? s : 1.0) : 0.0; }))
HALF2(hfma_relu, UH(__hfma_relu(H(a), H(b), H(a))), ({ const double s = x * y + x; s != s ? s : s > 0 ? s : 0.0; }))
HALF2(hneg_abs, UH(__habs(__hneg(H(b)))), ((void)x, std::fabs(y)))
HALF2(operators, UH(H(a) * H(b) + H(a)), half_value(to_half(x * y)) + x)
BF2(badd, UB(__hadd(B(a), B(b))), x + y)
BF2(bsub, UB(__hsub(B(a), B(b))), x - y)
BF2(bmul, UB(__hmul(B(a), B(b))), x * y)
BF2(bmax, UB(__hmax(B(a), B(b))), x != x ? y : y != y ? x : x == y ? (std::signbit(x) ? y : x) : x > y ? x : y)
OPERATION(relations_h, int, (u16 a, u16 b), __hlt(H(a), H(b)) + 2 * __hle(H(a), H(b)) + 4 * __heq(H(a), H(b)) + 8 * __hne(H(a), H(b)) + 16 * __hgtu(H(a), H(b)) + 32 * __hequ(H(a), H(b)),
          ({ const double x = half_value(a), y = half_value(b); (x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x < y || x > y) + 16 * !(x <= y) + 32 * !(x < y || x > y); }))
OPERATION(relations_b, int, (u16 a, u16 b), __hlt(B(a), B(b)) + 2 * __hge(B(a), B(b)) + 4 * __heq(B(a), B(b)),
          ({ const double x = bf16_value(a), y = bf16_value(b); (x < y) + 2 * (x >= y) + 4 * (x == y); }))
OPERATION(pair_add, u32, (u16 a, u16 b), ({ const __half2 r = __hadd2(__halves2half2(H(a), H(b)), __halves2half2(H(b), H(b))); (u32(__hisnan(r.y) ? 0x7FFF : UH(r.y)) << 16) | (__hisnan(r.x) ? 0x7FFF : UH(r.x)); }),
          (u32(same_nan(to_half(half_value(b) + half_value(b)), true)) << 16) | same_nan(to_half(half_value(a) + half_value(b)), true))
OPERATION(pair_fma, u32, (u16 a, u16 b), ({ const __half2 x = __halves2half2(H(a), H(b)); const __half2 r = __hfma2(x, x, __half2half2(H(b))); (u32(__hisnan(r.y) ? 0x7FFF : UH(r.y)) << 16) | (__hisnan(r.x) ? 0x7FFF : UH(r.x)); }),
          (u32(same_nan(to_half(half_value(b) * half_value(b) + half_value(b)), true)) << 16) | same_nan(to_half(half_value(a) * half_value(a) + half_value(b)), true))
OPERATION(pair_compare, u32, (u16 a, u16 b), ({ const __half2 x = __halves2half2(H(a), H(b)), y = __halves2half2(H(b), H(b)); const __half2 r = __hle2(x, y); UH(r.x) + 3 * UH(r.y) + __hbgt2(x, y) + 2 * __hbequ2(x, y) + __hgt2_mask(x, y); }),
          ({ const double x = half_value(a), y = half_value(b); const u32 le = x <= y ? 0x3C00 : 0, same = y == y ? 0x3C00 : 0;
             le + 3 * same + 0 + 2 * (!(x < y || x > y)) + (x > y ? 0xFFFF : 0); }))
OPERATION(bf_pair, u32, (u16 a, u16 b), ({ const __nv_bfloat162 x = __halves2bfloat162(B(a), B(b)); const __nv_bfloat162 r = __hmul2(x, __bfloat162bfloat162(B(b))); (u32(__hisnan(r.y) ? 0x7FFF : UB(r.y)) << 16) | (__hisnan(r.x) ? 0x7FFF : UB(r.x)); }),
          (u32(same_nan(to_bf16(bf16_value(b) * bf16_value(b)), false)) << 16) | same_nan(to_bf16(bf16_value(a) * bf16_value(b)), false))
// Conversions.
OPERATION(half_float, float, (u16 a), __half2float(H(a)), static_cast<float>(half_value(a)))
OPERATION(bf_float, float, (u16 a), __bfloat162float(B(a)), static_cast<float>(bf16_value(a)))
OPERATION(float_half, u32, (float a), ({ const __half r = __float2half(a); __hisnan(r) ? 0x7FFF : UH(r); }), to_half(a))
OPERATION(double_half, u32, (double a), ({ const __half r = __double2half(a); __hisnan(r) ? 0x7FFF : UH(r); }), to_half(a))
OPERATION(float_bf, u32, (float a), ({ const __nv_bfloat16 r = __float2bfloat16(a); __hisnan(r) ? 0x7FFF : UB(r); }), to_bf16(a))
/// The nearest, moved to the side that the direction wants.
static u32 directed(double v, int side, bool is_half) {
  const u16 n = is_half ? to_half(v) : to_bf16(v);
  const double back = is_half ? half_value(n) : bf16_value(n);
  if (v != v) return 0x7FFF;
  if (back == v) return n;
  const bool too_large = std::fabs(back) > std::fabs(v);
  const bool away = side == 0 ? false : (side > 0) == (v > 0);
  if (away) return too_large ? n : n + 1;
  return too_large ? n - 1 : n;
}
#define NAN16(r, u) (__hisnan(r) ? 0x7FFF : u(r))
OPERATION(float_half_rz, u32, (float a), ({ const __half r = __float2half_rz(a); NAN16(r, UH); }), directed(a, 0, true))
OPERATION(float_half_rd, u32, (float a), ({ const __half r = __float2half_rd(a); NAN16(r, UH); }), directed(a, -1, true))
OPERATION(float_half_ru, u32, (float a), ({ const __half r = __float2half_ru(a); NAN16(r, UH); }), directed(a, 1, true))
OPERATION(float_bf_rz, u32, (float a), ({ const __nv_bfloat16 r = __float2bfloat16_rz(a); NAN16(r, UB); }), directed(a, 0, false))
OPERATION(float_bf_ru, u32, (float a), ({ const __nv_bfloat16 r = __float2bfloat16_ru(a); NAN16(r, UB); }), directed(a, 1, false))
OPERATION(half_int, int, (u16 a), __half2int_rn(H(a)), half_value(a) != half_value(a) ? 0 : std::isinf(half_value(a)) ? (half_value(a) > 0 ? INT32_MAX : INT32_MIN) : static_cast<int>(std::nearbyint(half_value(a))))
OPERATION(int_half, u32, (s32 a), UH(__int2half_rn(a)), to_half(a))
OPERATION(int_half_rz, u32, (s32 a), UH(__int2half_rz(a)), directed(a, 0, true))
OPERATION(pair_from_floats, u32, (float a, float b), ({ const __half2 r = __floats2half2_rn(a, b); (u32(NAN16(r.y, UH)) << 16) | NAN16(r.x, UH); }), (u32(to_half(b)) << 16) | to_half(a))
OPERATION(bf_pair_from_floats, u32, (float a, float b), ({ const __nv_bfloat162 r = __floats2bfloat162_rn(a, b); (u32(NAN16(r.y, UB)) << 16) | NAN16(r.x, UB); }), (u32(to_bf16(b)) << 16) | to_bf16(a))
OPERATION(half_floor, u32, (u16 a), NAN16(hfloor(H(a)), UH), to_half(std::floor(half_value(a))))
OPERATION(half_rint, u32, (u16 a), NAN16(hrint(H(a)), UH), to_half(std::nearbyint(half_value(a))))
OPERATION(half_sqrt, u32, (u16 a), NAN16(hsqrt(H(a)), UH), to_half(std::sqrt(half_value(a))))
OPERATION(half_div, u32, (u16 a, u16 b), NAN16(__hdiv(H(a), H(b)), UH), same_nan(to_half(half_value(a) / half_value(b)), true))
OPERATION(half_exp, u32, (u16 a), NAN16(hexp(H(a)), UH), to_half(std::exp(half_value(a))))
OPERATION(half_log, u32, (u16 a), NAN16(hlog(H(a)), UH), to_half(std::log(half_value(a))))

static void near(const char* what, const std::vector<u32>& got, const std::vector<u32>& want) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::abs(int(got[i]) - int(want[i])) > 1 && ++mismatches < 30) std::printf("%s: got %x, want %x\n", what, got[i], want[i]);
  }
}
template <class F>
static void check_near(const std::vector<u16>& v) {  // one unit in the last place
  Buffer<u16> in(v);
  Buffer<u32> out(v.size());
  unary_kernel<F><<<(int(v.size()) + 127) / 128, 128>>>(in.data, int(v.size()), out.data);
  std::vector<u32> want;
  for (const u16 h : v) want.push_back(F::host(h));
  near(F::name(), out.host(), want);
}

int main() {
  std::vector<u16> all, v;
  for (u32 k = 0; k < 65536; k += 7) all.push_back(static_cast<u16>(k));
  for (const u16 k : {0x0000, 0x8000, 0x0001, 0x03FF, 0x0400, 0x3C00, 0xBC00, 0x3C01, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x3555, 0x4248, 0x5640, 0x1234,
                      0x2E66, 0xAE66, 0x6BCD, 0xEBCD, 0x7800, 0x3800, 0x38FF, 0x4200, 0x7F7F, 0x7F80, 0xFF80, 0x3F80, 0xBF80, 0x3F81, 0x4049, 0x0080, 0x007F}) v.push_back(k);
  for (u32 k = 0; k < 40; ++k) v.push_back(static_cast<u16>(k * 40503u >> 3));
  check<hadd>(v, v); check<hsub>(v, v); check<hmul>(v, v); check<hfma>(v, v); check<hmin>(v, v); check<hmax_nan>(v, v);
  check<hadd_sat>(v, v); check<hfma_relu>(v, v); check<hneg_abs>(v, v);
  check<badd>(v, v); check<bsub>(v, v); check<bmul>(v, v); check<bmax>(v, v);
  check<relations_h>(v, v); check<relations_b>(v, v); check<pair_add>(v, v); check<pair_fma>(v, v); check<pair_compare>(v, v); check<bf_pair>(v, v);
  check<half_float>(all); check<bf_float>(all);
  auto f = floats<float>();
  for (u32 k = 0; k < 2000; ++k) f.push_back(std::ldexp(1.0f + static_cast<float>(k * 2654435761u >> 9) / 8388608.0f, int(k % 48) - 28));
  check<float_half>(f); check<double_half>(floats<double>()); check<float_bf>(f);
  check<float_half_rz>(f); check<float_half_rd>(f); check<float_half_ru>(f); check<float_bf_rz>(f); check<float_bf_ru>(f);
  check<half_int>(all); check<int_half>(integers<s32>()); check<int_half_rz>(integers<s32>());
  check<pair_from_floats>(floats<float>(), floats<float>()); check<bf_pair_from_floats>(floats<float>(), floats<float>());
  check<half_floor>(all); check<half_rint>(all); check_near<half_sqrt>(all);
  check_near<half_exp>(v); check_near<half_log>(v);
  const std::vector<u16> moderate{0x3C00, 0x4000, 0x4200, 0x3555, 0x5640, 0xB800};
  check<half_div>(moderate, moderate);
  return finish();
}
