#pragma once
// What the units do in a clock: special functions, divisions, doubles, halves, wide
// integers; branches that part.
#include "../cases.cuh"
#include <cuda_fp16.h>

template <int kWhat>
__global__ void functions(float* out, int steps) {
  float x = 1.0f + threadIdx.x * 0.001f, sum = 0;
  for (int i = 0; i < steps; ++i) {
    if (kWhat == 0) sum += sinf(x);
    if (kWhat == 1) sum += __sinf(x);
    if (kWhat == 2) sum += expf(x);
    if (kWhat == 3) sum += sqrtf(x);
    if (kWhat == 4) sum += 1.0f / x;
    if (kWhat == 5) sum += rsqrtf(x);
    x += 0.01f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template <class T, int kWhat>
__global__ void integers(T* out, T by, int steps) {
  T x = threadIdx.x + blockIdx.x * 1000 + 12345, sum = 0;
  for (int i = 0; i < steps; ++i) {
    if (kWhat == 0) sum += x / by;
    if (kWhat == 1) sum += x % 7;
    if (kWhat == 2) sum += x * by;
    if (kWhat == 3) sum ^= (x << 3) ^ (x >> 5);
    if (kWhat == 4) sum += __popcll(x);
    x += sum + i;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template <int kChains>
__global__ void doubles(double* out, double x, int steps) {
  double sums[kChains];
#pragma unroll
  for (int k = 0; k < kChains; ++k) sums[k] = threadIdx.x + k;
  for (int i = 0; i < steps; ++i) {
#pragma unroll
    for (int k = 0; k < kChains; ++k) sums[k] = sums[k] * x + 0.5;
  }
  double sum = 0;
#pragma unroll
  for (int k = 0; k < kChains; ++k) sum += sums[k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void halves(__half2* out, int steps) {
  __half2 a = __float2half2_rn(0.5f), x = __float2half2_rn(threadIdx.x * 0.01f), y = x, z = x, w = x;
  for (int i = 0; i < steps; ++i) {
    x = __hfma2(x, a, a);
    y = __hfma2(y, a, a);
    z = __hfma2(z, a, a);
    w = __hfma2(w, a, a);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = __hadd2(__hadd2(x, y), __hadd2(z, w));
}
__global__ void diverging(float* out, int ways, int steps) {
  const int way = threadIdx.x % ways;
  float x = threadIdx.x;
  for (int k = 0; k < ways; ++k) {
    if (way != k) continue;
    for (int i = 0; i < steps; ++i) x = x * (1.0f + k) + 0.25f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
__global__ void mandelbrot(int* out, int width, int most) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  const float cx = px * 3.0f / width - 2.0f, cy = py * 3.0f / width - 1.5f;
  float x = 0, y = 0;
  int i = 0;
  for (; i < most && x * x + y * y < 4; ++i) {
    const float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
  }
  out[py * width + px] = i;
}
__global__ void bodies(const float4* p, float4* f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = p[i];
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < n; ++k) {
    const float4 o = p[k];
    const float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
    const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = o.w * r * r * r;
    sum.x += dx * s;
    sum.y += dy * s;
    sum.z += dz * s;
  }
  f[i] = sum;
}
template <int kSums>
__global__ void many_registers(const float* in, float* out, int steps) {
  float s[kSums];
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < kSums; ++k) s[k] = in[at + k * 1024];
  for (int i = 0; i < steps; ++i) {
    const float x = in[(at + i * 4096) & 0xFFFFF];
#pragma unroll
    for (int k = 0; k < kSums; ++k) s[k] = s[k] * x + 0.5f;
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kSums; ++k) sum += s[k];
  out[at] = sum;
}
__global__ void local_array(float* out, int steps) {
  float mine[64];
  for (int k = 0; k < 64; ++k) mine[k] = k + threadIdx.x;
  int at = threadIdx.x % 64;
  for (int i = 0; i < steps; ++i) {
    mine[at] += 1.5f;
    at = (at * 5 + i) % 64;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine[at];
}

inline void arithmetic(Cases& cases) {
  const Pool& p = cases.pool;
  cases.family = "special";
  cases.add("sinf", 264, 256, 0, functions<0>, p.b, 100);
  cases.add("__sinf", 264, 256, 0, functions<1>, p.b, 200);
  cases.add("expf", 264, 256, 0, functions<2>, p.b, 200);
  cases.add("sqrtf", 264, 256, 0, functions<3>, p.b, 200);
  cases.add("reciprocal", 264, 256, 0, functions<4>, p.b, 200);
  cases.add("rsqrtf_1056", 1056, 256, 0, functions<5>, p.b, 100);
  cases.family = "integers";
  cases.add("div_int", 264, 256, 0, integers<int, 0>, (int*)p.b, 13, 100);
  cases.add("div_unsigned", 264, 256, 0, integers<unsigned, 0>, (unsigned*)p.b, 13, 100);
  cases.add("mod_7", 264, 256, 0, integers<int, 1>, (int*)p.b, 13, 200);
  cases.add("mul_int", 264, 256, 0, integers<int, 2>, (int*)p.b, 13, 400);
  cases.add("logic", 264, 256, 0, integers<unsigned, 3>, (unsigned*)p.b, 13, 300);
  cases.add("div_64", 132, 256, 0, integers<long long, 0>, (long long*)p.b, 13, 50);
  cases.add("mul_64", 264, 256, 0, integers<long long, 2>, (long long*)p.b, 13, 200);
  cases.add("popc", 264, 256, 0, integers<unsigned long long, 4>, (unsigned long long*)p.b, 13, 200);
  cases.family = "doubles";
  cases.add("1_of_256", 132, 256, 0, doubles<1>, (double*)p.b, 0.5, 500);
  cases.add("4_of_256", 528, 256, 0, doubles<4>, (double*)p.b, 0.5, 200);
  cases.add("8_of_64", 132, 64, 0, doubles<8>, (double*)p.b, 0.5, 500);
  cases.family = "halves";
  cases.add("132", 132, 256, 0, halves, (__half2*)p.b, 500);
  cases.add("1056", 1056, 256, 0, halves, (__half2*)p.b, 200);
  cases.family = "divergence";
  for (const int ways : {1, 2, 8, 32}) cases.add("ways_" + std::to_string(ways), 264, 256, 0, diverging, p.b, ways, 64);
  cases.family = "mandelbrot";
  cases.add("256", dim3(16, 16), dim3(16, 16), 0, mandelbrot, p.counters, 256, 200);
  cases.add("512_rows", dim3(4, 512), dim3(128, 1), 0, mandelbrot, p.counters, 512, 100);
  cases.family = "bodies";
  cases.add("1024", 8, 128, 0, bodies, (float4*)p.a, (float4*)p.b, 1024);
  cases.add("4096", 32, 128, 0, bodies, (float4*)p.a, (float4*)p.b, 4096);
  cases.add("8192_by_64", 128, 64, 0, bodies, (float4*)p.a, (float4*)p.b, 2048);
  cases.family = "registers";
  cases.add("16", 264, 256, 0, many_registers<16>, p.a, p.b, 100);
  cases.add("64", 264, 256, 0, many_registers<64>, p.a, p.b, 50);
  cases.add("128", 264, 256, 0, many_registers<128>, p.a, p.b, 25);
  cases.family = "local";
  cases.add("264", 264, 256, 0, local_array, p.b, 200);
  cases.add("1056", 1056, 128, 0, local_array, p.b, 100);
}
