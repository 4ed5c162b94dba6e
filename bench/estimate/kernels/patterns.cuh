#pragma once
// What programs do: reductions, scans, stencils, gathers, sorting, banks of shared
// memory, work that is not even.
#include "../cases.cuh"

__global__ void reduce_interleaved(const int* in, int* out) {
  extern __shared__ int s[];
  s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    if (threadIdx.x % (2 * d) == 0) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__global__ void reduce_strided(const int* in, int* out) {
  extern __shared__ int s[];
  s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    const unsigned at = 2 * d * threadIdx.x;
    if (at < blockDim.x) s[at] += s[at + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__global__ void reduce_loop(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
__global__ void shuffles(int* out, int steps) {
  int x = threadIdx.x;
  for (int i = 0; i < steps; ++i) {
    for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
__global__ void scan_steps(const float* in, float* out) {
  extern __shared__ float f[];
  float x = in[blockIdx.x * blockDim.x + threadIdx.x];
  f[threadIdx.x] = x;
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    const float other = threadIdx.x >= d ? f[threadIdx.x - d] : 0;
    __syncthreads();
    f[threadIdx.x] = x += other;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
__global__ void stencil_line(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 3 || i >= n - 3) return;
  float sum = 0;
  for (int k = -3; k <= 3; ++k) sum += in[i + k];
  out[i] = sum;
}
__global__ void stencil_plane(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}
__global__ void stencil_shared(const float* in, float* out, int n) {
  __shared__ float tile[18][34];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (int j = threadIdx.y; j < 18; j += 16)
    for (int i = threadIdx.x; i < 34; i += 32) {
      const int gx = min(max(int(blockIdx.x * 32) + i - 1, 0), n - 1), gy = min(max(int(blockIdx.y * 16) + j - 1, 0), n - 1);
      tile[j][i] = in[gy * n + gx];
    }
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += tile[threadIdx.y + j][threadIdx.x + i];
  out[y * n + x] = sum / 9;
}
__global__ void stencil_space(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  for (int z = 1; z < n - 1; ++z) {
    const int at = (z * n + y) * n + x;
    out[at] = in[at] + in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + in[at - n * n] + in[at + n * n];
  }
}
__global__ void gather(const int* where, const float* from, float* to, int n, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[where[i] & mask];
}
__global__ void scatter(const int* where, const float* from, float* to, int n, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[where[i] & mask] = from[i];
}
__global__ void banks(float* out, int steps, int stride) {
  extern __shared__ float f[];
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) f[i] = i;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < steps; ++i) sum += f[(threadIdx.x * stride + i) & 8191];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void bitonic(int* keys) {
  __shared__ int s[1024];
  s[threadIdx.x] = keys[blockIdx.x * 1024 + threadIdx.x];
  __syncthreads();
  for (unsigned k = 2; k <= 1024; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      const unsigned other = threadIdx.x ^ j;
      if (other > threadIdx.x) {
        const int a = s[threadIdx.x], b = s[other];
        if ((a > b) == ((threadIdx.x & k) == 0)) {
          s[threadIdx.x] = b;
          s[other] = a;
        }
      }
      __syncthreads();
    }
  keys[blockIdx.x * 1024 + threadIdx.x] = s[threadIdx.x];
}
__global__ void triangle(const float* in, float* out, int n) {
  float sum = 0;
  for (int k = threadIdx.x; k < n * int(blockIdx.x + 1) / int(gridDim.x); k += blockDim.x) sum += in[blockIdx.x * n + k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void held_back(const float* in, float* out, int n) {
  extern __shared__ float held[];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    held[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = held[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
  }
}
__constant__ float weights[64];
__global__ void polynomial(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < 64; ++k) sum = sum * x + weights[k];
  out[i] = sum;
}
__global__ void search(const int* where, const int* sorted, int* out, int n, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int key = where[i];
  int low = 0, high = size;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = low;
}

inline void patterns(Cases& cases) {
  const Pool& p = cases.pool;
  int* const ints = p.index;
  int* const out = (int*)p.b;
  cases.family = "reduce_tree";
  for (const int block : {64, 256, 1024}) {
    cases.add("interleaved_" + std::to_string(block), (1 << 20) / block, block, block * 4, reduce_interleaved, ints, out);
    cases.add("strided_" + std::to_string(block), (1 << 20) / block, block, block * 4, reduce_strided, ints, out);
  }
  cases.family = "reduce_loop";
  for (const int n : {1 << 18, 1 << 20, 1 << 22}) cases.add("264_" + std::to_string(n), 264, 256, 0, reduce_loop, ints, p.counters, n);
  cases.add("2112_4194304", 2112, 256, 0, reduce_loop, ints, p.counters, 1 << 22);
  cases.family = "shuffle";
  cases.add("132x128", 132, 128, 0, shuffles, out, 200);
  cases.add("264x1024", 264, 1024, 0, shuffles, out, 50);
  cases.family = "scan";
  for (const int block : {128, 512, 1024}) cases.add("by_" + std::to_string(block), (1 << 19) / block, block, block * 4, scan_steps, p.a, p.b);
  cases.family = "stencil_line";
  for (const int n : {1 << 18, 1 << 21}) cases.add(std::to_string(n), blocks_for(n, 256), 256, 0, stencil_line, p.a, p.b, n);
  cases.family = "stencil_plane";
  for (const int n : {512, 1024, 2048}) cases.add("plain_" + std::to_string(n), dim3(n / 32, n / 8), dim3(32, 8), 0, stencil_plane, p.a, p.b, n);
  cases.add("tall_1024", dim3(256, 16), dim3(4, 64), 0, stencil_plane, p.a, p.b, 1024);
  cases.add("shared_1024", dim3(32, 64), dim3(32, 16), 0, stencil_shared, p.a, p.b, 1024);
  cases.add("shared_2048", dim3(64, 128), dim3(32, 16), 0, stencil_shared, p.a, p.b, 2048);
  cases.family = "stencil_space";
  cases.add("128", dim3(4, 16), dim3(32, 8), 0, stencil_space, p.a, p.b, 128);
  cases.add("192", dim3(6, 24), dim3(32, 8), 0, stencil_space, p.a, p.b, 192);
  cases.family = "gather";
  for (const int bits : {14, 18, 22, 24}) cases.add("from_" + std::to_string(1 << bits), 4096, 256, 0, gather, p.index, p.a, p.b, 1 << 20, (1 << bits) - 1);
  cases.add("few_from_16777216", 256, 256, 0, gather, p.index, p.a, p.b, 1 << 16, (1 << 24) - 1);
  cases.family = "scatter";
  for (const int bits : {18, 24}) cases.add("to_" + std::to_string(1 << bits), 4096, 256, 0, scatter, p.index, p.a, p.b, 1 << 20, (1 << bits) - 1);
  cases.family = "banks";
  for (const int stride : {1, 2, 4, 8, 32, 33}) cases.add("stride_" + std::to_string(stride), 132, 256, 32768, banks, p.b, 500, stride);
  cases.add("stride_1x1024", 264, 1024, 32768, banks, p.b, 200, 1);
  cases.family = "bitonic";
  cases.add("64", 64, 1024, 0, bitonic, out);
  cases.add("1024", 1024, 1024, 0, bitonic, out);
  cases.family = "triangle";
  cases.add("264x16384", 264, 256, 0, triangle, p.a, p.b, 16384);
  cases.add("1024x8192", 1024, 128, 0, triangle, p.a, p.b, 8192);
  cases.family = "occupancy";
  for (const int kilobytes : {1, 32, 64, 100, 160})
    cases.add("shared_" + std::to_string(kilobytes), 1056, 256, kilobytes * 1024, held_back, p.a, p.b, 1 << 21);
  cases.family = "constant";
  cases.add("1048576", 4096, 256, 0, polynomial, p.a, p.b, 1 << 20);
  cases.add("131072", 512, 256, 0, polynomial, p.a, p.b, 1 << 17);
  cases.family = "search";
  cases.add("in_4096", 1024, 256, 0, search, p.index, p.chain, out, 1 << 18, 4096);
  cases.add("in_1048576", 1024, 256, 0, search, p.index, p.chain, out, 1 << 18, 1 << 20);
}
