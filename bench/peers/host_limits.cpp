// The limit of one core of this machine for the tiled product of 1024^3 in the simulator's form, in which a
// warp's row of 32 floats occupies two registers. Each step loads one float of a (for all lanes) and two
// registers of b, and adds two products to two sums. Prints nanoseconds per step, and the seconds for the
// 33.5 million steps.
// Usage: g++ -O3 bench/peers/host_limits.cpp -o limits && ./limits (AVX-512)
#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <numeric>

namespace {

constexpr int kSteps = 32, kRepeats = 200000;
constexpr double kAllSteps = 1024.0 * 1024 * 1024 / 32;

alignas(64) float a[16][kSteps], b[kSteps][32];

/// Uses the sums, so that the compiler does not remove them.
float some_of(const float* sums, std::size_t bytes) {
  return std::accumulate(sums, sums + bytes / sizeof(float), 0.0f);
}

/// Several warps at once; the sums of one warp depend on each other, those of different warps do not.
template <int Warps>
__attribute__((target("avx512f"), noinline)) float steps() {
  __m512 sums[Warps][2] = {};
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    for (int k = 0; k < kSteps; ++k) {
#pragma GCC unroll 8
      for (int w = 0; w < Warps; ++w) {
        const __m512 of_a = _mm512_set1_ps(*const_cast<volatile float*>(&a[w][k]));
        for (int p = 0; p < 2; ++p)
          sums[w][p] = _mm512_fmadd_ps(of_a, _mm512_load_ps(&b[k][p * 16]), sums[w][p]);
      }
    }
  }
  return some_of(reinterpret_cast<const float*>(sums), sizeof sums);
}

/// Only products, at the core's issue rate: twelve sums without memory operands.
__attribute__((target("avx512f"), noinline)) float products() {
  __m512 sums[12];
  for (int i = 0; i < 12; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 x = _mm512_set1_ps(a[0][0]), y = _mm512_set1_ps(b[0][0]);
  for (int repeat = 0; repeat < kRepeats * kSteps; ++repeat) {
#pragma GCC unroll 16
    for (__m512& sum : sums) sum = _mm512_fmadd_ps(x, y, sum);
  }
  return some_of(reinterpret_cast<const float*>(sums), sizeof sums);
}

template <class Run>
void show(const char* what, double steps_each, Run run) {
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    volatile float kept = run();
    static_cast<void>(kept);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  const double step = best / (double{kRepeats} * kSteps * steps_each);
  std::printf("%-52s %6.3f ns a step, %6.4f s\n", what, step * 1e9, step * kAllSteps);
}

}  // namespace

int main() {
  for (auto& row : a) std::fill(std::begin(row), std::end(row), 1e-3f);
  for (auto& row : b) std::fill(std::begin(row), std::end(row), 1e-3f);
  show("products alone", 6, products);
  show("products and loads, four warps side by side", 4, steps<4>);
  show("products and loads, two warps side by side", 2, steps<2>);
  show("products and loads, one warp after the other", 1, steps<1>);
}
