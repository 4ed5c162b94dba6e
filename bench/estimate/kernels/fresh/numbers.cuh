#pragma once
// Simulations and numbers: bodies, means, random, Fourier.
#include <cuda_fp16.h>

#include "vectors.cuh"

namespace fresh_kernels {

__global__ void bodies(const float4* at, float4* force, int n) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = at[i];
  float x = 0, y = 0, z = 0;
  for (int t = 0; t < n; t += blockDim.x) {
    tile[threadIdx.x] = at[t + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j) {
      const float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      const float s = tile[j].w * inverse * inverse * inverse;
      x += dx * s;
      y += dy * s;
      z += dz * s;
    }
    __syncthreads();
  }
  force[i] = make_float4(x, y, z, 0);
}
/// The first attempt: three arrays, a square root and a division.
__global__ void bodies_plain(const float* px, const float* py, const float* pz, float* fx, float* fy, float* fz, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = 0, y = 0, z = 0;
  for (int j = 0; j < n; ++j) {
    const float dx = px[j] - px[i], dy = py[j] - py[i], dz = pz[j] - pz[i];
    const float r = sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    const float s = 1.0f / (r * r * r);
    x += dx * s;
    y += dy * s;
    z += dz * s;
  }
  fx[i] = x;
  fy[i] = y;
  fz[i] = z;
}
/// A point's coordinates lie together.
__global__ void assign(const float* points, const float* centres, int* nearest, int n, int k, int dims) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float least = 1e30f;
  int best = 0;
  for (int c = 0; c < k; ++c) {
    float distance = 0;
    for (int d = 0; d < dims; ++d) {
      const float x = points[i * dims + d] - centres[c * dims + d];
      distance += x * x;
    }
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  nearest[i] = best;
}
/// An array a dimension; the centres are in shared memory.
template <int kDims>
__global__ void assign_shared(const float* points, const float* centres, int* nearest, int n, int k) {
  extern __shared__ float mine[];
  for (int c = threadIdx.x; c < k * kDims; c += blockDim.x) mine[c] = centres[c];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x[kDims], least = 1e30f;
  int best = 0;
  for (int d = 0; d < kDims; ++d) x[d] = points[d * n + i];
  for (int c = 0; c < k; ++c) {
    float distance = 0;
    for (int d = 0; d < kDims; ++d) distance += (x[d] - mine[c * kDims + d]) * (x[d] - mine[c * kDims + d]);
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  nearest[i] = best;
}
__global__ void pi_thread(int* inside, int trials) {
  unsigned seed = 12345u + 7919u * (blockIdx.x * blockDim.x + threadIdx.x);
  int mine = 0;
  for (int i = 0; i < trials; ++i) {
    seed = 1664525u * seed + 1013904223u;
    const float x = (seed >> 8) / 16777216.0f;
    seed = 1664525u * seed + 1013904223u;
    const float y = (seed >> 8) / 16777216.0f;
    if (x * x + y * y <= 1.0f) ++mine;
  }
  atomicAdd(inside, mine);
}
__global__ void pi_block(double* out, int trials) {
  unsigned long long seed = 88172645463325252ull + blockIdx.x * blockDim.x + threadIdx.x;
  int mine = 0;
  for (int i = 0; i < trials; ++i) {
    seed = 6364136223846793005ull * seed + 1442695040888963407ull;
    const float x = (seed >> 40) * (1.0f / 16777216), y = (seed >> 16 & 0xffffff) * (1.0f / 16777216);
    mine += x * x + y * y <= 1.0f;
  }
  const float all = block_sum(mine);
  if (threadIdx.x == 0) out[blockIdx.x] = 4.0 * all / (double(trials) * blockDim.x);
}
__global__ void xorshift(unsigned* out, int draws, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = i + 2463534242u;
  for (int k = 0; k < draws; ++k) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    out[k * n + i] = x;
  }
}
__global__ void xorshift_normal(const unsigned* seeds, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long x = seeds[i] + 1ull;
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    const unsigned long long y = x * 2685821657736338717ull;
    const float u = ((y >> 40) + 1) / 16777217.0f, v = (y >> 8 & 0xffffff) / 16777216.0f;
    sum += sqrtf(-2 * logf(u)) * cosf(6.2831853f * v);
  }
  out[i] = sum;
}
template <class T>
__device__ T normal_cdf(T x) {
  return T(0.5) * erfc(-x * T(0.70710678118654752));
}
template <class T>
__global__ void black_scholes(const float* price, const float* strike, const float* years, T* call, T* put, int n, T rate, T volatility) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T s = price[i], x = strike[i], t = years[i];
  const T root = volatility * sqrt(t);
  const T d1 = (log(s / x) + (rate + volatility * volatility / 2) * t) / root, d2 = d1 - root;
  const T now = x * exp(-rate * t);
  call[i] = s * normal_cdf(d1) - now * normal_cdf(d2);
  put[i] = now * normal_cdf(-d2) - s * normal_cdf(-d1);
}
struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};
__global__ void move_structs(Particle* p, int n, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  p[i].vy -= 9.81f * dt;
  p[i].x += p[i].vx * dt;
  p[i].y += p[i].vy * dt;
  p[i].z += p[i].vz * dt;
}
__global__ void move_arrays(float* x, float* y, float* z, const float* vx, float* vy, const float* vz, int n, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  vy[i] -= 9.81f * dt;
  x[i] += vx[i] * dt;
  y[i] += vy[i] * dt;
  z[i] += vz[i] * dt;
}
/// A pass of Stockham's: done is how long the transforms are that are finished.
__global__ void fft_stage(const float2* in, float2* out, int half, int done) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= half) return;
  const int k = i & (done - 1), to = 2 * (i - k) + k;
  float s, c;
  sincosf(-3.14159265f * k / done, &s, &c);
  const float2 a = in[i], b = in[i + half];
  const float2 t = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
  out[to] = make_float2(a.x + t.x, a.y + t.y);
  out[to + done] = make_float2(a.x - t.x, a.y - t.y);
}
/// Whole transforms of 1024 points, one a block of 512.
__global__ void fft_block(const float2* in, float2* out) {
  __shared__ float2 s[1024];
  const int t = threadIdx.x, from = blockIdx.x * 1024;
  s[__brev(t) >> 22] = in[from + t];
  s[__brev(t + 512) >> 22] = in[from + t + 512];
  for (int half = 1; half < 1024; half *= 2) {
    __syncthreads();
    const int k = t & (half - 1), at = 2 * (t - k) + k;
    float sine, cosine;
    __sincosf(-3.14159265f * k / half, &sine, &cosine);
    const float2 a = s[at], b = s[at + half];
    const float2 w = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    s[at] = make_float2(a.x + w.x, a.y + w.y);
    s[at + half] = make_float2(a.x - w.x, a.y - w.y);
  }
  __syncthreads();
  out[from + t] = s[t];
  out[from + t + 512] = s[t + 512];
}

}  // namespace fresh_kernels
