// Conversions: between integers, to and from float and double in every rounding, saturating, and bit casts.
#include <cfenv>

#include "check.cuh"

template <class To, class From>
static To clamped(From v, double (*round)(double)) {  // rounds, then saturates; NaN as an H100 has it
  using L = std::numeric_limits<To>;
  if (v != v) return sizeof(To) == 8 ? static_cast<To>(1ull << 63) : sizeof(From) == 8 ? sizeof(To) == 2 ? L::min() : static_cast<To>(1u << 31) : To(0);
  const double r = round(static_cast<double>(v));
  if (r <= static_cast<double>(L::min())) return L::min();
  if (r >= static_cast<double>(L::max())) return L::max();
  return static_cast<To>(r);
}
static double nearest(double v) { return std::nearbyint(v); }
static double zero(double v) { return std::trunc(v); }
static double down(double v) { return std::floor(v); }
static double up(double v) { return std::ceil(v); }
template <class To, class From>
static To with_mode(From v, int mode) {
  // An integer's zero has no sign. clang's code for x86-64 makes -0 of it when it rounds down.
  if (std::is_integral_v<From> && v == 0) return 0;
  std::fesetround(mode);
  volatile From x = v;
  volatile To r = static_cast<To>(x);
  std::fesetround(FE_TONEAREST);
  return r;
}
#define FROM_FLOAT(T, name, To)                                                                                 \
  OPERATION(name##_rn, To, (T a), __##name##_rn(a), (clamped<To>(a, nearest)))                                  \
  OPERATION(name##_rz, To, (T a), __##name##_rz(a), (clamped<To>(a, zero)))                                     \
  OPERATION(name##_rd, To, (T a), __##name##_rd(a), (clamped<To>(a, down)))                                     \
  OPERATION(name##_ru, To, (T a), __##name##_ru(a), (clamped<To>(a, up)))
FROM_FLOAT(float, float2int, s32) FROM_FLOAT(float, float2uint, u32) FROM_FLOAT(float, float2ll, s64) FROM_FLOAT(float, float2ull, u64)
FROM_FLOAT(double, double2int, s32) FROM_FLOAT(double, double2uint, u32) FROM_FLOAT(double, double2ll, s64) FROM_FLOAT(double, double2ull, u64)
#define TO_FLOAT(From, name, T)                                                                                 \
  OPERATION(name##_rn, T, (From a), __##name##_rn(a), (with_mode<T>(a, FE_TONEAREST)))                          \
  OPERATION(name##_rz, T, (From a), __##name##_rz(a), (with_mode<T>(a, FE_TOWARDZERO)))                         \
  OPERATION(name##_rd, T, (From a), __##name##_rd(a), (with_mode<T>(a, FE_DOWNWARD)))                           \
  OPERATION(name##_ru, T, (From a), __##name##_ru(a), (with_mode<T>(a, FE_UPWARD)))
TO_FLOAT(s32, int2float, float) TO_FLOAT(u32, uint2float, float) TO_FLOAT(s64, ll2float, float) TO_FLOAT(u64, ull2float, float)
TO_FLOAT(s64, ll2double, double) TO_FLOAT(u64, ull2double, double) TO_FLOAT(double, double2float, float)
BOTH_SIDES(int_double, double, (s32 a), static_cast<double>(a))
BOTH_SIDES(uint_double, double, (u32 a), static_cast<double>(a))
BOTH_SIDES(float_double, double, (float a), static_cast<double>(a))
BOTH_SIDES(byte_float, float, (s8 a), static_cast<float>(a))
BOTH_SIDES(ubyte_float, float, (u8 a), static_cast<float>(a))
BOTH_SIDES(short_double, double, (s16 a), static_cast<double>(a))
BOTH_SIDES(ushort_float, float, (u16 a), static_cast<float>(a))
OPERATION(float_byte, s32, (float a), ({ s32 r; asm("cvt.rzi.s8.f32 %0, %1;" : "=r"(r) : "f"(a)); r; }), (clamped<s8>(a, zero)))
OPERATION(float_ushort, s32, (float a), ({ s32 r; asm("cvt.rni.u16.f32 %0, %1;" : "=r"(r) : "f"(a)); r; }), (clamped<u16>(a, nearest)))
OPERATION(float_short_sat, s32, (double a), ({ s32 r; asm("cvt.rmi.sat.s16.f64 %0, %1;" : "=r"(r) : "d"(a)); r; }), (clamped<s16>(a, down)))
// Integer to integer: narrowing, widening, saturation.
BOTH_SIDES(narrow8, s32, (s32 a), static_cast<s8>(a))
BOTH_SIDES(narrow16, u32, (s64 a), static_cast<u16>(a))
BOTH_SIDES(widen8, s64, (s8 a), static_cast<s64>(a))
BOTH_SIDES(widen_u16, s64, (u16 a), static_cast<s64>(a))
BOTH_SIDES(widen_signed_to_unsigned, u64, (s32 a), static_cast<u64>(a))
BOTH_SIDES(narrow_and_back, s64, (s64 a), static_cast<s64>(static_cast<s32>(a)) ^ static_cast<u32>(a))
template <class To> static s64 limited(s64 v) {
  return v < s64(std::numeric_limits<To>::min()) ? s64(std::numeric_limits<To>::min()) : v > s64(std::numeric_limits<To>::max()) ? s64(std::numeric_limits<To>::max()) : v;
}
OPERATION(sat_s8, s32, (s32 a), ({ s32 r; asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r) : "r"(a)); r; }), static_cast<s32>(limited<s8>(a)))
OPERATION(sat_u8, s32, (s32 a), ({ s32 r; asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r) : "r"(a)); r; }), static_cast<s32>(limited<u8>(a)))
OPERATION(sat_u16_u32, u32, (u32 a), ({ u32 r; asm("cvt.sat.u16.u32 %0, %1;" : "=r"(r) : "r"(a)); r; }), static_cast<u32>(limited<u16>(a)))
OPERATION(sat_s32_u32, s32, (u32 a), ({ s32 r; asm("cvt.sat.s32.u32 %0, %1;" : "=r"(r) : "r"(a)); r; }), static_cast<s32>(limited<s32>(a)))
OPERATION(sat_u32_s64, u32, (s64 a), ({ u32 r; asm("cvt.sat.u32.s64 %0, %1;" : "=r"(r) : "l"(a)); r; }), static_cast<u32>(limited<u32>(a)))
OPERATION(sat_u64_s64, u64, (s64 a), ({ u64 r; asm("cvt.sat.u64.s64 %0, %1;" : "=l"(r) : "l"(a)); r; }), a < 0 ? 0 : static_cast<u64>(a))
OPERATION(pack_s16, u32, (s32 a, s32 b), ({ u32 r; asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); r; }),
          (u32(u16(limited<s16>(a))) << 16) | u16(limited<s16>(b)))
OPERATION(pack_u8, u32, (s32 a, s32 b), ({ u32 r; asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %1;" : "=r"(r) : "r"(a), "r"(b)); r; }),
          (u32(a) << 16) | (u32(limited<u8>(a)) << 8) | u32(limited<u8>(b)))
OPERATION(tf32, u32, (float a), ({ u32 r; asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(a)); r; }),
          ({ u32 k; std::memcpy(&k, &a, 4); (k & 0x7FFFFFFF) >= 0x7F800000 ? k : (k + 0x1000) & ~0x1FFFu; }))
// Bits.
static double swapped(double a) {
  u64 bits;
  std::memcpy(&bits, &a, 8);
  bits = (bits << 32) | (bits >> 32);
  std::memcpy(&a, &bits, 8);
  return a;
}
OPERATION(bits_of_float, u32, (float a), __float_as_uint(a), ({ u32 k; std::memcpy(&k, &a, 4); k; }))
OPERATION(high_word, s32, (double a), __double2hiint(a), ({ s64 k; std::memcpy(&k, &a, 8); s32(k >> 32); }))
OPERATION(low_word, s32, (double a), __double2loint(a), ({ s64 k; std::memcpy(&k, &a, 8); static_cast<s32>(k); }))
OPERATION(halves_swapped, double, (double a), __hiloint2double(__double2loint(a), __double2hiint(a)), swapped(a))

#define CHECK_FOUR(name, v) check<name##_rn>(v); check<name##_rz>(v); check<name##_rd>(v); check<name##_ru>(v);
int main() {
  const auto f = floats<float>();
  const auto d = floats<double>();
  const auto i = integers<s32>();
  const auto u = integers<u32>();
  const auto l = integers<s64>();
  const auto m = integers<u64>();
  CHECK_FOUR(float2int, f) CHECK_FOUR(float2uint, f) CHECK_FOUR(float2ll, f) CHECK_FOUR(float2ull, f)
  CHECK_FOUR(double2int, d) CHECK_FOUR(double2uint, d) CHECK_FOUR(double2ll, d) CHECK_FOUR(double2ull, d)
  CHECK_FOUR(int2float, i) CHECK_FOUR(uint2float, u) CHECK_FOUR(ll2float, l) CHECK_FOUR(ull2float, m)
  CHECK_FOUR(ll2double, l) CHECK_FOUR(ull2double, m) CHECK_FOUR(double2float, d)
  check<int_double>(i); check<uint_double>(u); check<float_double>(f); check<byte_float>(integers<s8>());
  check<ubyte_float>(integers<u8>()); check<short_double>(integers<s16>()); check<ushort_float>(integers<u16>());
  check<float_byte>(f); check<float_ushort>(f); check<float_short_sat>(d);
  check<narrow8>(i); check<narrow16>(l); check<widen8>(integers<s8>()); check<widen_u16>(integers<u16>());
  check<widen_signed_to_unsigned>(i); check<narrow_and_back>(l);
  check<sat_s8>(i); check<sat_u8>(i); check<sat_u16_u32>(u); check<sat_s32_u32>(u); check<sat_u32_s64>(l); check<sat_u64_s64>(l);
  check<pack_s16>(i, i); check<pack_u8>(i, i); check<tf32>(f);
  check<bits_of_float>(f); check<high_word>(d); check<low_word>(d); check<halves_swapped>(d);
  return finish();
}
