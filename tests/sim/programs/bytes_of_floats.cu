// The formats of eight bits: every encoding is what the format says, every number becomes the nearest, on the host and on the
// device.
#include <cuda_fp8.h>

#include "check.cuh"

struct Format {
  __nv_fp8_interpretation_t kind;
  int exponent, fraction;
  unsigned largest, overflow;  // overflow: without saturation
};
constexpr Format e4m3{__NV_E4M3, 4, 3, 0x7E, 0x7F}, e5m2{__NV_E5M2, 5, 2, 0x7B, 0x7C};

/// What an encoding means; beyond the largest: nothing.
double meaning(const Format& f, unsigned code) {
  const int exponent = static_cast<int>(code >> f.fraction), middle = (1 << (f.exponent - 1)) - 1;
  const unsigned digits = code & ((1u << f.fraction) - 1);
  return exponent == 0 ? std::ldexp(digits, 1 - middle - f.fraction)
                       : std::ldexp(digits + (1u << f.fraction), exponent - middle - f.fraction);
}
unsigned nearest(const Format& f, double value, bool finite) {
  if (value != value) return 0x7F;
  const unsigned sign = std::signbit(value) ? 0x80 : 0;
  const double size = std::fabs(value);
  const double step = meaning(f, f.largest) - meaning(f, f.largest - 1);
  if (size >= meaning(f, f.largest) + step / 2) {
    const bool tie = size == meaning(f, f.largest) + step / 2 && f.largest % 2 == 0;
    return sign | (tie || finite ? f.largest : f.overflow);
  }
  unsigned best = 0;
  for (unsigned code = 1; code <= f.largest; ++code) {
    const double now = std::fabs(meaning(f, code) - size), before = std::fabs(meaning(f, best) - size);
    if (now < before || (now == before && code % 2 == 0)) best = code;
  }
  return sign | best;
}

/// All that becomes of one number.
struct Codes {
  u8 of_float[2][2], of_double[2][2], of_half[2], of_bfloat[2], of_int[2];
  u16 pair[2], half_pair[2];
  u32 four[2];
};
__host__ __device__ void encode(float v, double d, Codes& c) {
  for (int finite = 0; finite < 2; ++finite) {
    const auto saturation = finite ? __NV_SATFINITE : __NV_NOSAT;
    c.of_float[finite][0] = __nv_cvt_float_to_fp8(v, saturation, __NV_E4M3);
    c.of_float[finite][1] = __nv_cvt_float_to_fp8(v, saturation, __NV_E5M2);
    c.of_double[finite][0] = __nv_cvt_double_to_fp8(d, saturation, __NV_E4M3);
    c.of_double[finite][1] = __nv_cvt_double_to_fp8(d, saturation, __NV_E5M2);
  }
  const int whole = v > -1e6f && v < 1e6f ? static_cast<int>(v) : 7;
  c.of_half[0] = __nv_fp8_e4m3(__float2half(v)).__x, c.of_half[1] = __nv_fp8_e5m2(__float2half(v)).__x;
  c.of_bfloat[0] = __nv_fp8_e4m3(__float2bfloat16(v)).__x, c.of_bfloat[1] = __nv_fp8_e5m2(__float2bfloat16(v)).__x;
  c.of_int[0] = __nv_fp8_e4m3(whole).__x, c.of_int[1] = __nv_fp8_e5m2(whole).__x;
  c.pair[0] = __nv_fp8x2_e4m3(make_float2(v, 2 * v)).__x, c.pair[1] = __nv_fp8x2_e5m2(make_float2(v, 2 * v)).__x;
  const __half2 halves = __floats2half2_rn(v, -v);
  c.half_pair[0] = __nv_fp8x2_e4m3(halves).__x, c.half_pair[1] = __nv_fp8x2_e5m2(halves).__x;
  c.four[0] = __nv_fp8x4_e4m3(make_float4(v, -v, 1, v / 2)).__x;
  c.four[1] = __nv_fp8x4_e5m2(make_float4(v, -v, 1, v / 2)).__x;
}
__global__ void encode_all(const float* values, const double* doubles, Codes* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  encode(values[t], doubles[t], out[t]);
}

/// All that an encoding becomes.
struct Numbers {
  float value, bfloat, first, second, fourth;
  double wide;
  u16 half, pair_low, pair_high;
  int whole;
  unsigned char small;
  long long large;
  bool truth;
};
template <class F, class F2, class F4>
__host__ __device__ void decode(unsigned code, __nv_fp8_interpretation_t kind, Numbers& n) {
  F f;
  f.__x = static_cast<unsigned char>(code);
  n.value = static_cast<float>(f), n.wide = static_cast<double>(f);
  n.bfloat = __bfloat162float(static_cast<__nv_bfloat16>(f));
  n.half = __nv_cvt_fp8_to_halfraw(f.__x, kind).x;
  const __half2_raw pair = __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(code | 0x3800), kind);
  n.pair_low = pair.x, n.pair_high = pair.y;
  F2 two;
  two.__x = static_cast<__nv_fp8x2_storage_t>(0x3800 | code);
  const float2 floats = static_cast<float2>(two);
  n.first = floats.x, n.second = floats.y;
  F4 four;
  four.__x = code << 24 | 0x383838;
  n.fourth = static_cast<float4>(four).w;
  n.whole = static_cast<int>(f), n.small = static_cast<unsigned char>(f), n.large = static_cast<long long>(f);
  n.truth = static_cast<bool>(f);
}
__global__ void decode_all(Numbers* out) {
  decode<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(threadIdx.x, __NV_E4M3, out[threadIdx.x]);
  decode<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(threadIdx.x, __NV_E5M2, out[256 + threadIdx.x]);
}

void check(const Format& f, int which, float v, double d, const Codes& c) {
  for (int finite = 0; finite < 2; ++finite) {
    EXPECT(c.of_float[finite][which] == nearest(f, v, finite));
    // NVIDIA's own makes the largest number of a double that is none.
    EXPECT(d != d || c.of_double[finite][which] == nearest(f, d, finite));
  }
  const float half = __half2float(__float2half(v)), bfloat = __bfloat162float(__float2bfloat16(v));
  const int whole = v > -1e6f && v < 1e6f ? static_cast<int>(v) : 7;
  EXPECT(c.of_half[which] == nearest(f, half, true));
  EXPECT(c.of_bfloat[which] == nearest(f, bfloat, true));
  EXPECT(c.of_int[which] == nearest(f, whole, true));
  EXPECT(c.pair[which] == (nearest(f, v, true) | nearest(f, 2 * v, true) << 8));
  EXPECT(c.half_pair[which] == (nearest(f, half, true) | nearest(f, -half, true) << 8));
  EXPECT(c.four[which] == (nearest(f, v, true) | nearest(f, -v, true) << 8 | nearest(f, 1, true) << 16 | nearest(f, v / 2, true) << 24));
}
void check(const Format& f, unsigned code, const Numbers& n) {
  const bool infinite = f.kind == __NV_E5M2 && (code & 0x7F) == 0x7C, nan = !infinite && (code & 0x7F) > f.largest;
  double want = infinite ? INFINITY : nan ? NAN : meaning(f, code & 0x7F);
  if (code & 0x80) want = -want;
  const auto same = [&](double got) { return nan ? got != got : got == want && std::signbit(got) == std::signbit(want); };
  EXPECT(same(n.value) && same(n.wide) && same(n.bfloat) && same(n.first) && same(n.fourth));
  EXPECT(n.second == meaning(f, 0x38) && __half2float(__half(__half_raw{n.pair_high})) == n.second);
  EXPECT(same(__half2float(__half(__half_raw{n.half}))) && n.half == n.pair_low);
  EXPECT(!nan || n.half == 0x7FFF);
  EXPECT(n.truth == ((code & 0x7F) != 0));
  if (nan || infinite) return;
  EXPECT(n.whole == static_cast<int>(want) && n.large == static_cast<long long>(want));
  EXPECT(n.small == (want < 0 ? 0 : want > 255 ? 255 : static_cast<unsigned char>(want)));
}

int main() {
  std::vector<float> values;
  std::vector<double> doubles;
  for (u64 bits = 0; bits < 1ull << 32; bits += 999983) {  // of all floats
    const u32 now = static_cast<u32>(bits);
    float v;
    memcpy(&v, &now, 4);
    values.push_back(v);
    doubles.push_back(v * (1 + 1e-12));
  }
  for (const Format& f : {e4m3, e5m2}) {  // where the answer changes, and beside it
    for (unsigned code = 0; code <= f.largest; ++code) {
      const double next = code < f.largest ? meaning(f, code + 1) : 2 * meaning(f, code) - meaning(f, code - 1);
      for (const double sign : {1.0, -1.0}) {
        const auto middle = static_cast<float>(sign * (meaning(f, code) + next) / 2);
        for (const float v : {std::nextafter(middle, 0.0f), middle, std::nextafter(middle, 1e9f * static_cast<float>(sign))}) {
          values.push_back(v);
          doubles.push_back(middle * (v == middle ? 1 + 1e-15 : 1));
        }
      }
    }
  }
  for (const float v : {INFINITY, -INFINITY, NAN, -NAN, 0.0f, -0.0f}) values.push_back(v), doubles.push_back(v);
  while (values.size() % 64 != 0) values.push_back(1), doubles.push_back(1);
  Buffer<float> device_values(values);
  Buffer<double> device_doubles(doubles);
  Buffer<Codes> device_codes(values.size());
  encode_all<<<static_cast<unsigned>(values.size() / 64), 64>>>(device_values, device_doubles, device_codes);
  const auto codes = device_codes.host();
  for (std::size_t i = 0; i < values.size(); ++i) {
    Codes here;
    encode(values[i], doubles[i], here);
    for (const Codes& c : {here, codes[i]}) check(e4m3, 0, values[i], doubles[i], c), check(e5m2, 1, values[i], doubles[i], c);
  }
  Buffer<Numbers> device_numbers(512);
  decode_all<<<1, 256>>>(device_numbers);
  const auto numbers = device_numbers.host();
  for (unsigned code = 0; code < 256; ++code) {
    Numbers a, b;
    decode<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(code, __NV_E4M3, a);
    decode<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(code, __NV_E5M2, b);
    for (const Numbers& n : {a, numbers[code]}) check(e4m3, code, n);
    for (const Numbers& n : {b, numbers[256 + code]}) check(e5m2, code, n);
  }
  return finish();
}
