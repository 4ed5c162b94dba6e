// Functions of a warp: shuffles of every kind, width and type, votes, matches, reductions, partial masks.
#include <cuda_fp16.h>

#include "check.cuh"

constexpr u32 kAll = 0xFFFFFFFFu;
template <class T>
__global__ void shuffles(const T* in, T* out) {
  const int t = threadIdx.x;
  const T v = in[t];
  int at = 0;
  const auto put = [&](T x) { out[32 * at++ + t] = x; };
  for (const int width : {32, 16, 8, 4, 2, 1}) {
    for (const int delta : {0, 1, 2, 5, 16, 31}) {
      put(__shfl_sync(kAll, v, delta, width));
      put(__shfl_up_sync(kAll, v, delta, width));
      put(__shfl_down_sync(kAll, v, delta, width));
      put(__shfl_xor_sync(kAll, v, delta, width));
    }
    put(__shfl_sync(kAll, v, t * 7 + 3, width));
    put(__shfl_sync(kAll, v, -t, width));
  }
}
template <class T>
static void check_shuffles(const char* name) {
  std::vector<T> in(32);
  for (int i = 0; i < 32; ++i) in[i] = static_cast<T>(i * 1000003LL + 17);
  const int results = 6 * 26;
  Buffer<T> a(in), out(results * 32);
  shuffles<T><<<1, 32>>>(a.data, out.data);
  const auto got = out.host();
  int at = 0;
  const auto expect = [&](auto source) {
    for (int t = 0; t < 32; ++t) compare(name, got[32 * at + t], in[source(t)], 0, (shown(at) + ", " + shown(t)).c_str());
    ++at;
  };
  for (const int width : {32, 16, 8, 4, 2, 1}) {
    const auto start = [&](int t) { return t / width * width; };
    for (const int delta : {0, 1, 2, 5, 16, 31}) {
      expect([&](int t) { return start(t) + delta % width; });
      expect([&](int t) { return t - delta >= start(t) ? t - delta : t; });
      expect([&](int t) { return t + delta < start(t) + width ? t + delta : t; });
      expect([&](int t) { const int k = t ^ delta; return k < start(t) + width ? k : t; });
    }
    expect([&](int t) { return start(t) + (t * 7 + 3) % width; });
    expect([&](int t) { return start(t) + ((-t) & 31) % width; });
  }
}
// Results that every lane stores: the operation number tells them apart.
__global__ void votes(u32* out) {
  const u32 t = threadIdx.x;
  int at = 0;
  const auto put = [&](u32 x) { out[32 * at++ + t] = x; };
  put(__ballot_sync(kAll, t % 3 == 0));
  put(__all_sync(kAll, t < 32));
  put(__all_sync(kAll, t < 31));
  put(__any_sync(kAll, t == 31));
  put(__any_sync(kAll, t == 32));
  put(__uni_sync(kAll, t > 40));
  put(__match_any_sync(kAll, t % 5));
  put(__match_any_sync(kAll, (t / 8) * 0x100000000ull));
  int same = 7;
  put(__match_all_sync(kAll, 42, &same) + static_cast<u32>(same));
  put(__match_all_sync(kAll, t / 31, &same) + static_cast<u32>(same));
  put(__reduce_add_sync(kAll, t * t));
  put(static_cast<u32>(__reduce_min_sync(kAll, static_cast<int>(t) - 9)));
  put(static_cast<u32>(__reduce_max_sync(kAll, -static_cast<int>(t) - 9)));
  put(__reduce_min_sync(kAll, t ^ 21u));
  put(__reduce_max_sync(kAll, 0x80000000u >> t));
  put(__reduce_and_sync(kAll, ~(1u << (t / 2))));
  put(__reduce_or_sync(kAll, 1u << (t / 2)));
  put(__reduce_xor_sync(kAll, t * 77u));
  // Halves of the warp apart, each with its own mask.
  const u32 mine = t < 16 ? 0x0000FFFFu : 0xFFFF0000u;
  u32 r;
  if (t < 16) r = __ballot_sync(0x0000FFFFu, t & 1) + __shfl_sync(0x0000FFFFu, t, 3);
  else r = __ballot_sync(0xFFFF0000u, t & 2) + __shfl_down_sync(0xFFFF0000u, t, 2);
  put(r);
  put(__reduce_add_sync(mine, t));
  __syncwarp(mine);
  // A mask known only at run time, from different places of the program.
  const u32 third = __match_any_sync(kAll, t % 3);
  if (t % 3 == 0) r = __reduce_add_sync(third, 1);
  else if (t % 3 == 1) r = __reduce_add_sync(third, 100) + __popc(__ballot_sync(third, t > 9));
  else r = __shfl_sync(third, t, 31 - __clz(third));
  put(r);
  // Both sides of a branch wait for each other, each at its own __syncwarp().
  u32 v = t;
  if (t & 4) { v += 100; __syncwarp(); }
  else { v += 1000; __syncwarp(); }
  put(__shfl_xor_sync(kAll, v, 4));
  put(__popc(__activemask()));
  u32 e;
  asm volatile("{.reg .pred p; mov.u32 %0, %%lanemask_lt; }" : "=r"(e));
  put(e);
  asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(e));
  put(e);
}
__global__ void reductions(const float* in, float* out, double* out_double, half* out_half) {
  const int t = threadIdx.x;
  float v = in[blockIdx.x * 32 + t];
  double d = v;
  __half h = __float2half(v);
  for (int offset = 16; offset > 0; offset /= 2) {
    v += __shfl_down_sync(kAll, v, offset);
    d += __shfl_xor_sync(kAll, d, offset);
    h = __hmax(h, __shfl_xor_sync(kAll, h, offset));
  }
  if (t == 0) out[blockIdx.x] = v;
  out_double[blockIdx.x * 32 + t] = d;
  out_half[blockIdx.x * 32 + t] = h;
}
__global__ void scan(const int* in, int* out, int n) {  // inclusive, a partial last warp
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const u32 mask = __ballot_sync(__activemask(), i < n);
  if (i >= n) return;
  int v = in[i];
  for (int d = 1; d < 32; d *= 2) {
    const int w = __shfl_up_sync(mask, v, d);
    if (static_cast<int>(threadIdx.x & 31) >= d) v += w;
  }
  out[i] = v;
}
__global__ void partial(u32* out) {  // a block of 40: the second warp has 8 lanes
  const u32 mask = __activemask();
  out[threadIdx.x] = __reduce_add_sync(mask, 1) + 100 * __popc(__ballot_sync(mask, true)) + 10000 * __any_sync(mask, threadIdx.x == 39);
}

int main() {
  check_shuffles<int>("shuffle int"); check_shuffles<u32>("shuffle unsigned"); check_shuffles<s64>("shuffle long long");
  check_shuffles<float>("shuffle float"); check_shuffles<double>("shuffle double");

  Buffer<u32> out(25 * 32);
  votes<<<1, 32>>>(out);
  const auto got = out.host();
  int at = 0;
  const auto expect = [&](auto f) {
    for (u32 t = 0; t < 32; ++t) compare("votes", got[32 * at + t], static_cast<u32>(f(t)), 0, (shown(at) + ", " + shown(t)).c_str());
    ++at;
  };
  const auto where = [](auto condition) { u32 m = 0; for (u32 l = 0; l < 32; ++l) m |= static_cast<u32>(condition(l)) << l; return m; };
  const auto sum = [](auto f) { u32 s = 0; for (u32 l = 0; l < 32; ++l) s += f(l); return s; };
  expect([&](u32) { return where([](u32 l) { return l % 3 == 0; }); });
  expect([](u32) { return 1; }); expect([](u32) { return 0; }); expect([](u32) { return 1; }); expect([](u32) { return 0; }); expect([](u32) { return 1; });
  expect([&](u32 t) { return where([&](u32 l) { return l % 5 == t % 5; }); });
  expect([&](u32 t) { return where([&](u32 l) { return l / 8 == t / 8; }); });
  expect([](u32) { return kAll + 1; }); expect([](u32) { return 0; });
  expect([&](u32) { return sum([](u32 l) { return l * l; }); });
  expect([](u32) { return -9; }); expect([](u32) { return -9; });
  expect([](u32) { return 0; }); expect([](u32) { return 0x80000000u; }); expect([](u32) { return 0xFFFF0000u; }); expect([](u32) { return 0x0000FFFFu; });
  expect([&](u32) { u32 x = 0; for (u32 l = 0; l < 32; ++l) x ^= l * 77u; return x; });
  expect([](u32 t) { return t < 16 ? 0xAAAAu + 3 : 0xCCCC0000u + (t + 2 < 32 ? t + 2 : t); });
  expect([](u32 t) { return t < 16 ? 120 : 376; });
  expect([](u32 t) { return t % 3 == 0 ? 11 : t % 3 == 1 ? 1100 + 8 : 29; });
  expect([](u32 t) { return t & 4 ? (t ^ 4) + 1000 : (t ^ 4) + 100; });
  expect([](u32) { return 32; });
  expect([](u32 t) { return (1u << t) - 1; }); expect([](u32 t) { return kAll << t; });

  std::vector<float> values(96);
  for (int i = 0; i < 96; ++i) values[i] = static_cast<float>(std::sin(i * 1.7) * 100);
  Buffer<float> in(values), sums(3);
  Buffer<double> doubles(96);
  Buffer<half> halves(96);
  reductions<<<3, 32>>>(in, sums, doubles, halves);
  const auto s = sums.host();
  const auto d = doubles.host();
  std::vector<half> h = halves.host();
  for (int b = 0; b < 3; ++b) {
    std::vector<float> v(values.begin() + b * 32, values.begin() + b * 32 + 32);
    float top = -1e9f;
    for (float x : v) top = std::fmax(top, x);
    std::vector<double> w(v.begin(), v.end());
    for (int offset = 16; offset > 0; offset /= 2) {
      for (int i = 0; i < offset; ++i) v[i] += v[i + offset];
      auto next = w;
      for (int i = 0; i < 32; ++i) next[i] = w[i] + w[i ^ offset];
      w = next;
    }
    compare("shuffle sum", s[b], v[0], 0, "");
    for (int i = 0; i < 32; ++i) compare("butterfly sum", d[32 * b + i], w[i], 0, "");
    compare("half maximum", __half2float(h[32 * b + 5]), __half2float(__float2half(top)), 0, "");
  }
  std::vector<int> ones(100);
  for (int i = 0; i < 100; ++i) ones[i] = i * i % 13;
  Buffer<int> scan_in(ones), scanned(100);
  scan<<<1, 128>>>(scan_in, scanned, 100);
  const auto sc = scanned.host();
  for (int i = 0, total = 0; i < 100; ++i) {
    total = i % 32 == 0 ? ones[i] : total + ones[i];
    compare("scan", sc[i], total, 0, shown(i).c_str());
  }
  Buffer<u32> part(40);
  partial<<<1, 40>>>(part);
  const auto p = part.host();
  for (int i = 0; i < 40; ++i) compare("partial", p[i], i < 32 ? 3232u : 10808u, 0, shown(i).c_str());
  return finish();
}
