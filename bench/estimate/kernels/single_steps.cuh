#pragma once
// One warp, one instruction after the other, each of which needs the one before: what the latencies of a
// profile are read off. Loads find an address and nothing else, so that no arithmetic lies between them.
#include "../cases.cuh"

/// A ring of `kPlaces` addresses, 128 bytes apart, each of which holds that of the next.
template <int kPlaces>
__device__ void close_ring(unsigned long long* ring) {
  for (int i = threadIdx.x; i < kPlaces; i += blockDim.x)
    ring[i * 16] = reinterpret_cast<unsigned long long>(ring + (i + 1) % kPlaces * 16);
  __syncthreads();
}
/// kCached: L1 keeps the ring; else each load goes to L2.
template <bool kCached>
__global__ void ring_in_global(unsigned long long* ring, int* out, int steps) {
  close_ring<8>(ring);
  unsigned long long at = reinterpret_cast<unsigned long long>(ring);
#pragma unroll 16
  for (int i = 0; i < steps; ++i) {
    if (kCached)
      asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at));
    else
      asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at));
  }
  out[threadIdx.x] = static_cast<int>(at);
}
__global__ void ring_in_shared(int* out, int steps) {
  __shared__ unsigned ring[32];
  ring[threadIdx.x] = static_cast<unsigned>(__cvta_generic_to_shared(&ring[(threadIdx.x + 1) % 32]));
  __syncthreads();
  unsigned at = ring[threadIdx.x];
#pragma unroll 16
  for (int i = 0; i < steps; ++i) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  out[threadIdx.x] = static_cast<int>(at);
}

struct IntegerSum {
  static __device__ int step(int x, int y) { return (x + y) ^ 5; }
};
struct IntegerProduct {
  static __device__ int step(int x, int y) { return x * y + 3; }
};
struct Shift {
  static __device__ int step(int x, int y) { return (x << (y & 31)) ^ y; }
};
struct BitCount {
  static __device__ int step(int x, int y) { return __popc(x) ^ y; }
};
struct ToFloatAndBack {
  static __device__ int step(int x, int y) { return static_cast<int>(static_cast<float>(x)) ^ y; }
};
struct Shuffle {
  static __device__ int step(int x, int y) { return __shfl_xor_sync(0xFFFFFFFF, x, 1) ^ y; }
};
struct Vote {
  static __device__ int step(int x, int y) { return static_cast<int>(__ballot_sync(0xFFFFFFFF, x > y)); }
};
struct SelectOne {
  static __device__ int step(int x, int y) { return x > 1000 ? y : x + 7; }
};
struct WideSum {
  static __device__ long long step(long long x, long long y) { return (x + y) ^ 5; }
};
struct FloatFma {
  static __device__ float step(float x, float y) { return fmaf(x, y, 0.25f); }
};
struct FastExponential {
  static __device__ float step(float x, float y) {
    float r;
    asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r - y;
  }
};
struct FastReciprocal {
  static __device__ float step(float x, float y) {
    float r;
    asm volatile("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r + y;
  }
};
struct DoubleFma {
  static __device__ double step(double x, double y) { return fma(x, y, 0.25); }
};
struct FloatQuotient {
  static __device__ float step(float x, float y) { return y / x + 1; }
};
struct FloatRoot {
  static __device__ float step(float x, float y) { return sqrtf(x) + y; }
};
struct IntegerQuotient {
  static __device__ int step(int x, int y) { return 1000000007 / (x | 1) + y; }
};

template <class Step, class T>
__global__ void one_step(T* out, T y, int steps) {
  T x = static_cast<T>(threadIdx.x + 2);
#pragma unroll 16
  for (int i = 0; i < steps; ++i) x = Step::step(x, y);
  out[threadIdx.x] = x;
}

inline void single_steps(Cases& cases) {
  const Pool& p = cases.pool;
  auto* const ring = reinterpret_cast<unsigned long long*>(p.c);
  cases.family = "step_load";
  cases.add("l1", 1, 32, 0, ring_in_global<true>, ring, p.counters, 2048);
  cases.add("l2", 1, 32, 0, ring_in_global<false>, ring, p.counters, 1024);
  cases.add("shared", 1, 32, 0, ring_in_shared, p.counters, 2048);
  int* const ints = p.counters;
  float* const floats = p.b;
  auto* const doubles = reinterpret_cast<double*>(p.b);
  cases.family = "step_arithmetic";
  cases.add("integer_sum", 1, 32, 0, one_step<IntegerSum, int>, ints, 3, 4096);
  cases.add("integer_product", 1, 32, 0, one_step<IntegerProduct, int>, ints, 3, 4096);
  cases.add("shift", 1, 32, 0, one_step<Shift, int>, ints, 3, 4096);
  cases.add("wide_sum", 1, 32, 0, one_step<WideSum, long long>, reinterpret_cast<long long*>(p.b), 3, 4096);
  cases.add("select", 1, 32, 0, one_step<SelectOne, int>, ints, 3, 4096);
  cases.add("float_fma", 1, 32, 0, one_step<FloatFma, float>, floats, 0.5f, 4096);
  cases.add("double_fma", 1, 32, 0, one_step<DoubleFma, double>, doubles, 0.5, 4096);
  cases.family = "step_special";
  cases.add("bit_count", 1, 32, 0, one_step<BitCount, int>, ints, 3, 2048);
  cases.add("to_float_and_back", 1, 32, 0, one_step<ToFloatAndBack, int>, ints, 3, 1024);
  cases.add("exponential", 1, 32, 0, one_step<FastExponential, float>, floats, 1.5f, 1024);
  cases.add("reciprocal", 1, 32, 0, one_step<FastReciprocal, float>, floats, 1.5f, 1024);
  cases.add("quotient", 1, 32, 0, one_step<FloatQuotient, float>, floats, 1.5f, 512);
  cases.add("root", 1, 32, 0, one_step<FloatRoot, float>, floats, 1.5f, 512);
  cases.add("integer_quotient", 1, 32, 0, one_step<IntegerQuotient, int>, ints, 3, 512);
  cases.family = "step_exchange";
  cases.add("shuffle", 1, 32, 0, one_step<Shuffle, int>, ints, 3, 2048);
  cases.add("vote", 1, 32, 0, one_step<Vote, int>, ints, 3, 2048);
}
