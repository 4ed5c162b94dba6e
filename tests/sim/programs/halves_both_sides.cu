// half and bfloat16 on the host and on the device: every function that both have gives the same bits, for all pairs of many
// values, and what the device alone has is near the exact answer.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.cuh"

__host__ __device__ inline u32 float_bits(float v) {
  u32 bits;
  memcpy(&bits, &v, 4);
  return bits;
}
/// NaNs of any payload are one.
template <class S>
__host__ __device__ u16 bits_of(S v) {
  u16 bits;
  memcpy(&bits, &v, 2);
  return __hisnan(v) ? 0x7FFF : bits;
}
template <class S>
__host__ __device__ S value_of(u16 bits) {
  S v;
  memcpy(static_cast<void*>(&v), &bits, 2);
  return v;
}
template <class P>
__host__ __device__ u32 pair_bits(P v) {
  return static_cast<u32>(bits_of(v.y)) << 16 | bits_of(v.x);
}
__host__ __device__ inline __half2 pair_of(__half a, __half b) { return __halves2half2(a, b); }
__host__ __device__ inline __nv_bfloat162 pair_of(__nv_bfloat16 a, __nv_bfloat16 b) { return __halves2bfloat162(a, b); }

/// The functions of two numbers that both sides have, one after the other.
template <class S>
__host__ __device__ void of_two(S a, S b, u32* out) {
  int at = 0;
  const auto put = [&](u32 v) { out[at++] = v; };
  const auto p = pair_of(a, b), q = pair_of(b, a);
  put(bits_of(__hadd(a, b))); put(bits_of(__hsub(a, b))); put(bits_of(__hmul(a, b)));
  put(bits_of(__hadd_rn(a, b))); put(bits_of(__hsub_rn(a, b))); put(bits_of(__hmul_rn(a, b)));
  put(bits_of(__hadd_sat(a, b))); put(bits_of(__hsub_sat(a, b))); put(bits_of(__hmul_sat(a, b)));
  put(bits_of(__hmax(a, b))); put(bits_of(__hmin(a, b)));
  const bool zeros = a == b;  // NVIDIA's host code and its cards differ in which of -0 and 0 is the smaller, for bfloat16
  put(bits_of(zeros ? a : __hmax_nan(a, b))); put(bits_of(zeros ? a : __hmin_nan(a, b)));
  put(bits_of(__hneg(a))); put(bits_of(__habs(a))); put(bits_of(a + b)); put(bits_of(a - b)); put(bits_of(a * b));
  S c = a;
  c += b; c -= S(0.25f); c *= b;
  put(bits_of(c)); put(bits_of(++c)); put(bits_of(c--)); put(bits_of(-c)); put(bits_of(+c));
  put(__heq(a, b) | __hne(a, b) << 1 | __hle(a, b) << 2 | __hge(a, b) << 3 | __hlt(a, b) << 4 | __hgt(a, b) << 5 | __hequ(a, b) << 6 |
      __hneu(a, b) << 7 | __hleu(a, b) << 8 | __hgeu(a, b) << 9 | __hltu(a, b) << 10 | __hgtu(a, b) << 11 | (a == b) << 12 |
      (a != b) << 13 | (a < b) << 14 | (a > b) << 15 | (a <= b) << 16 | (a >= b) << 17 | static_cast<bool>(a) << 18 |
      __hisnan(a) << 19 | (__hisinf(a) + 1) << 20);
  put(pair_bits(__hadd2(p, q))); put(pair_bits(__hsub2(p, q))); put(pair_bits(__hmul2(p, q))); put(pair_bits(__hmul2_sat(p, q)));
  put(pair_bits(__hmax2(p, q))); put(zeros ? 0 : pair_bits(__hmin2_nan(p, q))); put(pair_bits(__hneg2(p))); put(pair_bits(__habs2(p)));
  put(pair_bits(p + q)); put(pair_bits(p * q)); put(pair_bits(__lowhigh2highlow(p)));
  put(pair_bits(__heq2(p, q)) + pair_bits(__hltu2(p, q))); put(pair_bits(__hge2(p, q))); put(pair_bits(__hisnan2(p)));
  put(__hne2_mask(p, q)); put(__hgtu2_mask(p, q)); put(__hequ2_mask(p, q)); put(__hle2_mask(p, q));
  put(__hbeq2(p, q) | __hbne2(p, q) << 1 | __hblt2(p, q) << 2 | __hbgeu2(p, q) << 3 | (p == q) << 4 | (p != q) << 5 | (p > q) << 6);
  put(float_bits(__low2float(p) + 0.0f)); put(float_bits(__high2float(p) + 0.0f));
}
constexpr int kOfTwo = 45;

/// And of one.
__host__ __device__ inline int of_one(__half a, float f, double d, s32 i, u32 u, s64 l, u64 m, u32* out) {
  int at = 0;
  const auto put = [&](u32 v) { out[at++] = v; };
  const auto put_long = [&](u64 v) { put(static_cast<u32>(v)); put(static_cast<u32>(v >> 32)); };
#define ROUNDED(name, x) put(bits_of(name##_rn(x))); put(bits_of(name##_rz(x))); put(bits_of(name##_rd(x))); put(bits_of(name##_ru(x)));
  ROUNDED(__float2half, f) ROUNDED(__int2half, i) ROUNDED(__uint2half, u) ROUNDED(__ll2half, l) ROUNDED(__ull2half, m)
  ROUNDED(__short2half, static_cast<short>(i)) ROUNDED(__ushort2half, static_cast<u16>(u))
  put(bits_of(__double2half(d))); put(bits_of(__half(f))); put(bits_of(__half(i))); put(bits_of(__half(l)));
  put(float_bits(__half2float(a) + 0.0f));
  put(static_cast<u32>(__half2int_rz(a))); put(__half2uint_rz(a)); put_long(__half2ll_rz(a)); put_long(__half2ull_rz(a));
  put(static_cast<u32>(__half2short_rz(a))); put(__half2ushort_rz(a)); put(static_cast<u32>(__half2char_rz(a))); put(__half2uchar_rz(a));
  put(static_cast<u32>(static_cast<int>(a))); put(static_cast<u32>(static_cast<short>(a))); put_long(static_cast<u64>(static_cast<long long>(a)));
  return at;
}
__host__ __device__ inline int of_one(__nv_bfloat16 a, float f, double d, s32 i, u32 u, s64 l, u64 m, u32* out) {
  int at = 0;
  const auto put = [&](u32 v) { out[at++] = v; };
  const auto put_long = [&](u64 v) { put(static_cast<u32>(v)); put(static_cast<u32>(v >> 32)); };
  ROUNDED(__float2bfloat16, f)
  put(bits_of(__int2bfloat16_rn(i))); put(bits_of(__uint2bfloat16_rn(u))); put(bits_of(__ll2bfloat16_rn(l))); put(bits_of(__ull2bfloat16_rn(m)));
  put(bits_of(__double2bfloat16(d))); put(bits_of(__nv_bfloat16(f))); put(bits_of(__nv_bfloat16(i)));
  put(bits_of(static_cast<__nv_bfloat16>(__ushort_as_half(static_cast<u16>(u))))); put(bits_of(static_cast<__half>(a)));
  put(float_bits(__bfloat162float(a) + 0.0f));
  put(static_cast<u32>(__bfloat162int_rz(a))); put(__bfloat162uint_rz(a)); put_long(__bfloat162ll_rz(a)); put_long(__bfloat162ull_rz(a));
  put(static_cast<u32>(static_cast<int>(a)));
  return at;
}
constexpr int kOfOne = 64;

template <class S>
__global__ void two(const u16* v, int n, u32* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * n) of_two(value_of<S>(v[i / n]), value_of<S>(v[i % n]), out + static_cast<size_t>(i) * kOfTwo);
}
struct Inputs {
  float f;
  double d;
  s32 i;
  u32 u;
  s64 l;
  u64 m;
};
template <class S>
__global__ void one(const u16* v, const Inputs* in, int n, u32* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) of_one(value_of<S>(v[i]), in[i].f, in[i].d, in[i].i, in[i].u, in[i].l, in[i].m, out + i * kOfOne);
}

template <class S>
static void check_both(const char* name, const std::vector<u16>& v, const std::vector<Inputs>& inputs) {
  const int n = static_cast<int>(v.size());
  Buffer<u16> dv(v);
  Buffer<u32> out(static_cast<size_t>(n) * n * kOfTwo);
  two<S><<<(n * n + 127) / 128, 128>>>(dv, n, out);
  const auto got = out.host();
  u32 want[kOfTwo];
  for (int i = 0; i < n * n; ++i) {
    of_two(value_of<S>(v[i / n]), value_of<S>(v[i % n]), want);
    for (int k = 0; k < kOfTwo; ++k) {
      const bool nan = k >= kOfTwo - 2 && (want[k] & 0x7FFFFFFF) > 0x7F800000 && (got[static_cast<size_t>(i) * kOfTwo + k] & 0x7FFFFFFF) > 0x7F800000;
      if (!nan) compare(name, got[static_cast<size_t>(i) * kOfTwo + k], want[k], 0, (shown(k) + ": " + shown(v[i / n]) + ", " + shown(v[i % n])).c_str());
    }
  }
  const int m = static_cast<int>(inputs.size());
  std::vector<u16> w(m);
  for (int i = 0; i < m; ++i) w[i] = static_cast<u16>(i * 65536ll / m);
  Buffer<u16> dw(w);
  Buffer<Inputs> di(inputs);
  Buffer<u32> singles(m * kOfOne);
  one<S><<<(m + 127) / 128, 128>>>(dw, di, m, singles);
  const auto g = singles.host();
  u32 of[kOfOne];
  for (int i = 0; i < m; ++i) {
    const Inputs& in = inputs[i];
    const int count = of_one(value_of<S>(w[i]), in.f, in.d, in.i, in.u, in.l, in.m, of);
    for (int k = 0; k < count; ++k) {
      const bool nan = (of[k] & 0x7FFFFFFF) > 0x7F800000 && (g[i * kOfOne + k] & 0x7FFFFFFF) > 0x7F800000;
      if (!nan) compare(name, g[i * kOfOne + k], of[k], 0, ("of one, " + shown(k) + ": " + shown(w[i]) + ", " + shown(in.f) + ", " + shown(in.i) + ", " + shown(in.l)).c_str());
    }
  }
}

// What the device alone has: fused operations, roundings to integers, functions.
template <class S>
__global__ void device_alone(const u16* v, int n, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const S a = value_of<S>(v[i]);
  const auto p = pair_of(a, -a);
  float* const to = out + i * 24;
  const auto number = [](S x) { return static_cast<float>(x); };
  to[0] = number(hsqrt(a)); to[1] = number(hrsqrt(a)); to[2] = number(hrcp(a)); to[3] = number(hlog(a)); to[4] = number(hlog2(a)); to[5] = number(hlog10(a));
  to[6] = number(hexp(a)); to[7] = number(hexp2(a)); to[8] = number(hexp10(a)); to[9] = number(hsin(a)); to[10] = number(hcos(a)); to[11] = number(htanh(a));
  to[12] = number(htrunc(a)); to[13] = number(hceil(a)); to[14] = number(hfloor(a)); to[15] = number(hrint(a));
  to[16] = number(h2exp(p).x); to[17] = number(h2sin(p).y); to[18] = number(h2sqrt(p).x); to[19] = number(h2floor(p).y);
  to[20] = number(__hfma(a, a, a)); to[21] = number(__hfma_sat(a, S(0.5f), S(0.25f))); to[22] = number(__hfma2_relu(p, p, p).y);
  to[23] = number(__hcmadd(p, p, p).x);
}
template <class S>
static S nearest(double v) {  // of a value with few digits more than S has: by float, whose rounding does not matter then
  return S(static_cast<float>(v));
}
template <class S>
static void check_alone(const char* name, const std::vector<u16>& v, double unit) {
  const int n = static_cast<int>(v.size());
  Buffer<u16> dv(v);
  Buffer<float> out(n * 24);
  device_alone<S><<<(n + 127) / 128, 128>>>(dv, n, out);
  const auto got = out.host();
  const double least = std::is_same_v<S, __half> ? std::ldexp(1.0, -24) : std::ldexp(1.0, -133);
  for (int i = 0; i < n; ++i) {
    const double x = static_cast<float>(value_of<S>(v[i]));
    const double exact[24] = {std::sqrt(x), 1 / std::sqrt(x), 1 / x, std::log(x), std::log2(x), std::log10(x), std::exp(x), std::exp2(x), std::pow(10.0, x),
                              std::sin(x), std::cos(x), std::tanh(x), std::trunc(x), std::ceil(x), std::floor(x), std::nearbyint(x),
                              std::exp(x), std::sin(-x), std::sqrt(x), std::floor(-x), x * x + x, x * 0.5 + 0.25, x * x - x, x * x + x - x * x};
    for (int k = 0; k < 24; ++k) {
      if (k == 23) continue;  // three roundings: below
      double want = exact[k];
      if (k == 21) want = want != want ? 0 : want < 0 ? 0 : want > 1 ? 1 : want;
      if (k == 22) want = want < 0 ? 0 : want;
      const double rounded = static_cast<float>(nearest<S>(want)), have = got[i * 24 + k];
      if (rounded != rounded || std::isinf(rounded)) {
        const bool same = rounded != rounded ? have != have : have == rounded || std::fabs(have) >= 0.99 * std::fabs(static_cast<float>(value_of<S>(std::is_same_v<S, __half> ? 0x7BFF : 0x7F7F)));
        if (!same && ++mismatches < 30) std::printf("%s %d of %g: %g, not %g\n", name, k, x, have, rounded);
        continue;
      }
      const double bound = 1.01 * (std::fabs(want) * unit > least ? std::fabs(want) * unit : least);
      if (!(std::fabs(have - want) <= bound) && ++mismatches < 30) std::printf("%s %d of %g: %g, not %.9g\n", name, k, x, have, want);
    }
  }
}

__global__ void moved(__half2* h, __nv_bfloat16* b, u32* out) {
  const int t = threadIdx.x;
  const __half2 mine = __floats2half2_rn(static_cast<float>(t), static_cast<float>(-t));
  const __nv_bfloat16 one = __float2bfloat16(static_cast<float>(t));
  __stcg(h + t, mine);
  __stcs(b + t, one);
  __syncwarp();
  out[t] = pair_bits(__shfl_xor_sync(0xFFFFFFFFu, mine, 5)) + bits_of(__shfl_down_sync(0xFFFFFFFFu, one, 3)) + pair_bits(__ldcg(h + (t ^ 1))) +
           bits_of(__ldcv(b + (31 - t))) + bits_of(__shfl_sync(0xFFFFFFFFu, mine.y, 7)) + bits_of(__shfl_up_sync(0xFFFFFFFFu, mine.x, 2));
}

int main() {
  std::vector<u16> v;
  for (const u16 k : {0x0000, 0x8000, 0x0001, 0x8003, 0x03FF, 0x0400, 0x3C00, 0xBC00, 0x3C01, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x3555, 0x4248, 0x5640,
                      0x6BCD, 0xEBCD, 0x7800, 0x3800, 0x4200, 0x7F7F, 0x7F80, 0xFF80, 0x3F80, 0xBF80, 0x3F81, 0x0080, 0x007F, 0x0041}) v.push_back(k);
  for (u32 k = 0; k < 21; ++k) v.push_back(static_cast<u16>(k * 40503u >> 3));
  std::vector<Inputs> inputs;
  u64 state = 88172645463325252ull;
  for (int k = 0; k < 1500; ++k) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    const double size = std::ldexp(1.0 + static_cast<double>(state >> 40) / (1 << 24), k % 60 - 34) * (k % 2 ? 1 : -1);
    Inputs in{static_cast<float>(size), size, static_cast<s32>(state >> (k % 28 + 32)), static_cast<u32>(state >> (k % 31 + 32)), static_cast<s64>(state) >> k % 60, state >> k % 63};
    if (k % 5 == 0) in.f = static_cast<float>(std::ldexp(2.0 * (k % 2048) + 1, k % 37 - 24));  // halfway, often
    if (k % 5 == 0) in.i = (2 * (k % 4096) + 1) << k % 18, in.u = in.i, in.l = static_cast<s64>(in.i) << k % 30, in.m = in.l;
    if (k % 5 == 0) in.d = in.f * (1 + std::ldexp(k % 3 - 1.0, -40));
    inputs.push_back(in);
  }
  for (const float f : {0.0f, -0.0f, 65519.9f, 65520.0f, -65520.0f, 3.4e38f, 3.39e38f, 1e-45f, INFINITY, -INFINITY}) inputs.push_back({f, f * 1.0, 65519, 65520, -65520, 65504});
  inputs.push_back({3.4028235e38f, 1e300, INT32_MIN, UINT32_MAX, INT64_MIN, UINT64_MAX});
  inputs.push_back({-3.4028235e38f, -1e-300, INT32_MAX, 2049, INT64_MAX, 4097});
  check_both<__half>("half", v, inputs);
  check_both<__nv_bfloat16>("bfloat16", v, inputs);
  std::vector<u16> many;
  for (u32 k = 0; k < 65536; k += 29) many.push_back(static_cast<u16>(k));
  check_alone<__half>("half", many, std::ldexp(1.0, -10));
  check_alone<__nv_bfloat16>("bfloat16", many, std::ldexp(1.0, -7));
  Buffer<__half2> h(32);
  Buffer<__nv_bfloat16> b(32);
  Buffer<u32> out(32);
  moved<<<1, 32>>>(h, b, out);
  const auto got = out.host();
  const auto pair = [](int t) { return pair_bits(__floats2half2_rn(static_cast<float>(t), static_cast<float>(-t))); };
  const auto bf = [](int t) { return static_cast<u32>(bits_of(__float2bfloat16(static_cast<float>(t)))); };
  for (int t = 0; t < 32; ++t) {
    const u32 want = pair(t ^ 5) + bf(t + 3 < 32 ? t + 3 : t) + pair(t ^ 1) + bf(31 - t) + (pair(7) >> 16) + (pair(t >= 2 ? t - 2 : t) & 0xFFFF);
    compare("moved", got[t], want, 0, shown(t).c_str());
  }
  return finish();
}
