#pragma once
// What others would write: kernels of course books and of application programmers. They test what was fitted
// to the rest. A launch must not take longer or shorter for those before it: what decides anything is read
// only, or written again with the same.
#include <cuda_fp16.h>

#include "../cases.cuh"

namespace fresh_kernels {

// ---- Inputs

__host__ __device__ inline unsigned drawn(unsigned x) {
  x *= 2654435761u;
  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  x *= 3266489917u;
  return x ^ x >> 16;
}
template <class T, class Rule>
__global__ void fill_by(T* to, int n, Rule rule) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] = rule(i);
}
template <class T, class Rule>
T* made(int n, Rule rule) {
  T* to = nullptr;
  CHECKED(cudaMalloc(&to, n * sizeof(T)));
  fill_by<<<512, 256>>>(to, n, rule);
  return to;
}
struct Between {
  unsigned salt;
  float low, high;
  __device__ float operator()(int i) const { return low + (high - low) * (drawn(i + salt) >> 8) * (1.0f / (1 << 24)); }
};
struct Below {
  unsigned salt, limit;
  __device__ unsigned operator()(int i) const { return drawn(i + salt) % limit; }
};
struct Zero {
  __device__ int operator()(int) const { return 0; }
};
struct OneIn {
  unsigned many;
  __device__ bool operator()(int i) const { return drawn(i) % many == 0; }
};
struct Letters {
  __device__ unsigned char operator()(int i) const {
    const unsigned x = drawn(i) >> 4;
    return x % 6 == 0 ? ' ' : 'a' + x / 6 % 26;
  }
};
struct Ascending {
  __device__ int operator()(int i) const { return 7 * i + drawn(i) % 7; }
};
constexpr int kRows = 1 << 16, kPerRow = 16;
/// Rows of 1 to 31 entries.
struct RowStart {
  __device__ int operator()(int i) const { return kPerRow * i + (i == 0 || i == kRows ? 0 : drawn(i) % kPerRow); }
};
struct NearDiagonal {
  __device__ int operator()(int i) const { return min(max(i / kPerRow + int(drawn(i) % 64) - 32, 0), kRows - 1); }
};
struct Pair {
  unsigned salt;
  __device__ __half2 operator()(int i) const { return __floats2half2_rn((drawn(i + salt) & 255) / 256.0f, 0.5f); }
};

// ---- Vectors

template <class T>
__global__ void saxpy(int n, T a, const T* x, T* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}
__global__ void axpy_half2(int n, float a, const __half2* x, __half2* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}
__global__ void dot_thread_atomics(const float* x, const float* y, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, x[i] * y[i]);
}
__global__ void dot_tree(const float* x, const float* y, float* partial, int n) {
  extern __shared__ float cache[];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += x[i] * y[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (int i = blockDim.x / 2; i != 0; i /= 2) {
    if (threadIdx.x < i) cache[threadIdx.x] += cache[threadIdx.x + i];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}
__device__ float warp_sum(float x) {
  for (int d = 16; d > 0; d >>= 1) x += __shfl_xor_sync(0xffffffffu, x, d);
  return x;
}
/// Of a block of whole warps; every thread gets it.
__device__ float block_sum(float x) {
  __shared__ float warps[32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  x = warp_sum(x);
  __syncthreads();
  if (lane == 0) warps[warp] = x;
  __syncthreads();
  x = lane < blockDim.x / 32 ? warps[lane] : 0;
  return warp_sum(x);
}
__global__ void dot_shuffles(const float* x, const float* y, float* out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += x[i] * y[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
__global__ void reverse_to(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - 1 - i] = in[i];
}
__global__ void reverse_in_place(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  const int t = data[i];
  data[i] = data[n - 1 - i];
  data[n - 1 - i] = t;
}
__global__ void reverse_shared(const int* in, int* out, int n) {
  __shared__ int s[512];
  const int i = blockIdx.x * 512 + threadIdx.x;
  if (i < n) s[511 - threadIdx.x] = in[i];
  __syncthreads();
  const int to = n - (blockIdx.x + 1) * 512 + threadIdx.x;
  if (to >= 0) out[to] = s[threadIdx.x];
}
__global__ void max_atomic(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(out, in[i]);
}
__global__ void max_by_block(const int* in, int* out, int n) {
  __shared__ int most;
  if (threadIdx.x == 0) most = -1;
  __syncthreads();
  int mine = -1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) mine = max(mine, in[i]);
  atomicMax(&most, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(out, most);
}
__global__ void relu(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] > 0.5f ? in[i] : 0.0f;
}
__global__ void sigmoid(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1.0f / (1.0f + expf(-in[i]));
}
__global__ void gelu(const float4* in, float4* out, int n) {
  const auto f = [](float x) { return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x))); };
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 x = in[i];
  out[i] = make_float4(f(x.x), f(x.y), f(x.z), f(x.w));
}
template <class T>
__global__ void horner(const T* x, const T* coefficients, T* y, int n, int degree) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T result = coefficients[degree];
  for (int k = degree - 1; k >= 0; --k) result = result * x[i] + coefficients[k];
  y[i] = result;
}

// ---- Matrices

__global__ void matvec_row_thread(const float* m, const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (int j = 0; j < columns; j++) sum += m[row * columns + j] * x[j];
    y[row] = sum;
  }
}
__global__ void matvec_column_thread(const float* transposed, const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (int j = 0; j < columns; j++) sum += transposed[j * rows + row] * x[j];
    y[row] = sum;
  }
}
__global__ void matvec_row_warp(const float* m, const float* x, float* y, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float4* from = reinterpret_cast<const float4*>(m + row * columns);
  const float4* by = reinterpret_cast<const float4*>(x);
  float sum = 0;
  for (int j = lane; j < columns / 4; j += 32) {
    const float4 a = from[j], b = by[j];
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}
__global__ void matvec_row_block(const float* m, const float* x, float* y, int columns) {
  float sum = 0;
  for (int j = threadIdx.x; j < columns; j += blockDim.x) sum += m[blockIdx.x * columns + j] * x[j];
  sum = block_sum(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int depth) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && column < n) {
    float sum = 0;
    for (int k = 0; k < depth; k++) sum += a[row * depth + k] * b[k * n + column];
    c[row * n + column] = sum;
  }
}
/// The beginner's mistake: neighbours in x have neighbouring rows.
__global__ void matmul_swapped(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
  }
}
template <class T, int kTile>
__global__ void matmul_tile(const T* a, const T* b, T* c, int n) {
  __shared__ T as[kTile][kTile], bs[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
  T sum = 0;
  for (int t = 0; t < (n + kTile - 1) / kTile; ++t) {
    as[ty][tx] = row < n && t * kTile + tx < n ? a[row * n + t * kTile + tx] : T(0);
    bs[ty][tx] = column < n && t * kTile + ty < n ? b[(t * kTile + ty) * n + column] : T(0);
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
/// kMine results a thread, side by side in tiles.
template <int kTile, int kMine>
__global__ void matmul_coarse(const float* a, const float* b, float* c, int n) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile * kMine + tx;
  float sums[kMine] = {};
  for (int t = 0; t < n / kTile; ++t) {
    as[ty][tx] = a[row * n + t * kTile + tx];
#pragma unroll
    for (int i = 0; i < kMine; ++i) {
      bs[ty][tx] = b[(t * kTile + ty) * n + column + i * kTile];
      __syncthreads();
      for (int k = 0; k < kTile; ++k) sums[i] += as[ty][k] * bs[k][tx];
      __syncthreads();
    }
  }
#pragma unroll
  for (int i = 0; i < kMine; ++i) c[row * n + column + i * kTile] = sums[i];
}
/// 2 x 2 results a thread, in a tile of 32 x 32 of 16 x 16 threads.
__global__ void matmul_four(const float* a, const float* b, float* c, int n) {
  __shared__ float as[32][32], bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32;
  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int t = 0; t < n; t += 32) {
    for (int j = ty; j < 32; j += 16)
      for (int i = tx; i < 32; i += 16) {
        as[j][i] = a[(row + j) * n + t + i];
        bs[j][i] = b[(t + j) * n + column + i];
      }
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      const float a0 = as[ty][k], a1 = as[ty + 16][k], b0 = bs[k][tx], b1 = bs[k][tx + 16];
      s00 += a0 * b0;
      s01 += a0 * b1;
      s10 += a1 * b0;
      s11 += a1 * b1;
    }
    __syncthreads();
  }
  c[(row + ty) * n + column + tx] = s00;
  c[(row + ty) * n + column + tx + 16] = s01;
  c[(row + ty + 16) * n + column + tx] = s10;
  c[(row + ty + 16) * n + column + tx + 16] = s11;
}
__global__ void transpose_writes(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = in[x * width + y];
}
template <class T, int kTile, int kPad>
__global__ void transpose_tile(const T* in, T* out, int width, int height) {
  __shared__ T tile[kTile][kTile + kPad];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int tx = blockIdx.y * kTile + threadIdx.x, ty = blockIdx.x * kTile + threadIdx.y;
  if (tx < height && ty < width) out[ty * height + tx] = tile[threadIdx.x][threadIdx.y];
}
template <bool kGood>
__global__ void matrix_add(const float* a, const float* b, float* c, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    const int i = kGood ? y * n + x : x * n + y;
    c[i] = a[i] + b[i];
  }
}
__global__ void matrix_add_row(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n)
    for (int j = 0; j < n; ++j) c[row * n + j] = a[row * n + j] + b[row * n + j];
}
__global__ void matrix_add_column(const float* a, const float* b, float* c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < n)
    for (int i = 0; i < n; ++i) c[i * n + column] = a[i * n + column] + b[i * n + column];
}
template <int kBlock>
__global__ void softmax_block(const float* in, float* out, int columns) {
  __shared__ float s[kBlock];
  const int t = threadIdx.x;
  const float* row = in + blockIdx.x * columns;
  float* to = out + blockIdx.x * columns;
  float most = -1e30f;
  for (int i = t; i < columns; i += kBlock) most = fmaxf(most, row[i]);
  s[t] = most;
  __syncthreads();
  for (int d = kBlock / 2; d > 0; d /= 2) {
    if (t < d) s[t] = fmaxf(s[t], s[t + d]);
    __syncthreads();
  }
  most = s[0];
  __syncthreads();
  float sum = 0;
  for (int i = t; i < columns; i += kBlock) {
    const float e = expf(row[i] - most);
    to[i] = e;
    sum += e;
  }
  s[t] = sum;
  __syncthreads();
  for (int d = kBlock / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  sum = s[0];
  for (int i = t; i < columns; i += kBlock) to[i] /= sum;
}
__global__ void softmax_thread(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float most = -1e30f, sum = 0;
  for (int i = 0; i < columns; ++i) most = fmaxf(most, in[row * columns + i]);
  for (int i = 0; i < columns; ++i) sum += expf(in[row * columns + i] - most);
  for (int i = 0; i < columns; ++i) out[row * columns + i] = expf(in[row * columns + i] - most) / sum;
}
/// A warp a row, which it keeps in registers.
template <int kEach>
__global__ void softmax_warp(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float x[kEach], most = -1e30f, sum = 0;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    x[i] = lane + 32 * i < columns ? in[row * columns + lane + 32 * i] : -1e30f;
    most = fmaxf(most, x[i]);
  }
  for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
#pragma unroll
  for (int i = 0; i < kEach; ++i) sum += x[i] = __expf(x[i] - most);
  sum = warp_sum(sum);
#pragma unroll
  for (int i = 0; i < kEach; ++i)
    if (lane + 32 * i < columns) out[row * columns + lane + 32 * i] = x[i] / sum;
}
__global__ void layer_norm(const float* in, const float* gain, const float* bias, float* out, int columns) {
  const float* row = in + blockIdx.x * columns;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i];
  const float mean = block_sum(sum) / columns;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) squares += (row[i] - mean) * (row[i] - mean);
  const float scale = rsqrtf(block_sum(squares) / columns + 1e-5f);
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = (row[i] - mean) * scale * gain[i] + bias[i];
}

// ---- Grids and images

__constant__ float filter[64] = {0.01f, 0.02f, 0.03f, 0.04f, 0.05f, 0.06f, 0.07f, 0.08f, 0.09f, 0.1f};
template <int kRadius>
__global__ void conv2d(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int j = -kRadius; j <= kRadius; ++j)
    for (int i = -kRadius; i <= kRadius; ++i)
      if (y + j >= 0 && y + j < height && x + i >= 0 && x + i < width)
        sum += filter[(j + kRadius) * (2 * kRadius + 1) + i + kRadius] * in[(y + j) * width + x + i];
  out[y * width + x] = sum;
}
/// As many threads as the tile with its halo has places; those of the halo only load.
template <int kRadius, int kSide>
__global__ void conv2d_shared(const float* in, float* out, int width, int height) {
  constexpr int kInner = kSide - 2 * kRadius;
  __shared__ float tile[kSide][kSide];
  const int x = blockIdx.x * kInner + threadIdx.x - kRadius, y = blockIdx.y * kInner + threadIdx.y - kRadius;
  tile[threadIdx.y][threadIdx.x] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0.0f;
  __syncthreads();
  const int tx = threadIdx.x - kRadius, ty = threadIdx.y - kRadius;
  if (tx < 0 || ty < 0 || tx >= kInner || ty >= kInner || x >= width || y >= height) return;
  float sum = 0;
  for (int j = 0; j <= 2 * kRadius; ++j)
    for (int i = 0; i <= 2 * kRadius; ++i) sum += filter[j * (2 * kRadius + 1) + i] * tile[ty + j][tx + i];
  out[y * width + x] = sum;
}
__global__ void conv1d(const float* in, float* out, int n, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  const int first = i - taps / 2;
  for (int k = 0; k < taps; k++)
    if (first + k >= 0 && first + k < n) sum += in[first + k] * filter[k];
  out[i] = sum;
}
/// The filter is an argument like any other.
__global__ void conv1d_plain(const float* in, const float* by, float* out, int n, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + taps > n) return;
  float sum = 0;
  for (int k = 0; k < taps; k++) sum += in[i + k] * by[k];
  out[i] = sum;
}
template <int kBlock, int kRadius>
__global__ void conv1d_shared(const float* in, float* out, int n) {
  __shared__ float tile[kBlock + 2 * kRadius];
  const int i = blockIdx.x * kBlock + threadIdx.x, t = threadIdx.x + kRadius;
  tile[t] = i < n ? in[i] : 0;
  if (threadIdx.x < kRadius) {
    tile[t - kRadius] = i >= kRadius ? in[i - kRadius] : 0;
    tile[t + kBlock] = i + kBlock < n ? in[i + kBlock] : 0;
  }
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (int k = -kRadius; k <= kRadius; ++k) sum += tile[t + k] * filter[k + kRadius];
  out[i] = sum;
}
__global__ void jacobi(const float* u, const float* f, float* next, int n, float h2) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i >= n - 1 || j >= n - 1) return;
  const int at = j * n + i;
  next[at] = 0.25f * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] + h2 * f[at]);
}
__global__ void jacobi_residual(const float* u, const float* f, float* next, float* residual, int n, float h2) {
  const int i = blockIdx.x * 32 + threadIdx.x % 32 + 1, j = blockIdx.y * (blockDim.x / 32) + threadIdx.x / 32 + 1;
  float change = 0;
  if (i < n - 1 && j < n - 1) {
    const int at = j * n + i;
    const float x = 0.25f * (u[at - 1] + u[at + 1] + u[at - n] + u[at + n] + h2 * f[at]);
    change = (x - u[at]) * (x - u[at]);
    next[at] = x;
  }
  change = block_sum(change);
  if (threadIdx.x == 0) atomicAdd(residual, change);
}
template <class T>
__global__ void heat(const T* in, T* out, int n, T k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x == 0 || y == 0 || z == 0 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
  const int i = (z * n + y) * n + x;
  out[i] = in[i] + k * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n] - 6 * in[i]);
}
__global__ void life(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) alive += in[(y + dy + height) % height * width + (x + dx + width) % width];
  const int i = y * width + x;
  out[i] = alive == 3 || (alive == 2 && in[i]);
}
__global__ void life_shared(const unsigned char* in, unsigned char* out, int width, int height) {
  __shared__ unsigned char cells[18][34];
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 18 * 34; i += 512) {
    const int x = blockIdx.x * 32 + i % 34 - 1, y = blockIdx.y * 16 + i / 34 - 1;
    cells[i / 34][i % 34] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0;
  }
  __syncthreads();
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  int alive = -cells[threadIdx.y + 1][threadIdx.x + 1];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) alive += cells[threadIdx.y + j][threadIdx.x + i];
  out[y * width + x] = alive == 3 || (alive == 2 && cells[threadIdx.y + 1][threadIdx.x + 1]);
}
__global__ void gray(const uchar4* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const uchar4 p = in[y * width + x];
  out[y * width + x] = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
}
__global__ void gray_packed(const unsigned char* rgb, unsigned char* out, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pixels) out[i] = 0.21f * rgb[3 * i] + 0.71f * rgb[3 * i + 1] + 0.07f * rgb[3 * i + 2];
}
__global__ void blur(const uchar4* in, uchar4* out, int width, int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int r = 0, g = 0, b = 0, count = 0;
  for (int j = max(y - radius, 0); j <= min(y + radius, height - 1); ++j)
    for (int i = max(x - radius, 0); i <= min(x + radius, width - 1); ++i) {
      const uchar4 p = in[j * width + i];
      r += p.x;
      g += p.y;
      b += p.z;
      ++count;
    }
  out[y * width + x] = make_uchar4(r / count, g / count, b / count, 255);
}
__global__ void sobel(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= width - 1 || y >= height - 1) return;
  const unsigned char *up = in + (y - 1) * width + x, *here = up + width, *down = here + width;
  const float gx = up[1] - up[-1] + 2 * (here[1] - here[-1]) + down[1] - down[-1];
  const float gy = down[-1] + 2 * down[0] + down[1] - up[-1] - 2 * up[0] - up[1];
  out[y * width + x] = fminf(sqrtf(gx * gx + gy * gy), 255.0f);
}
__global__ void julia(uchar4* out, int width, int height, int steps) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float x = 1.5f * (px - width / 2) / (width / 2), y = 1.5f * (py - height / 2) / (height / 2);
  int i = 0;
  while (i < steps && x * x + y * y < 1000) {
    const float t = x * x - y * y - 0.8f;
    y = 2 * x * y + 0.156f;
    x = t;
    ++i;
  }
  out[py * width + px] = make_uchar4(255 * i / steps, i & 255, 0, 255);
}

// ---- Scans, sorting, counting, searching

template <int kBlock>
__global__ void hillis_steele(const float* in, float* out, int n) {
  __shared__ float s[2][kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x, t = threadIdx.x;
  int now = 0;
  s[0][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    s[1 - now][t] = t >= d ? s[now][t] + s[now][t - d] : s[now][t];
    now = 1 - now;
    __syncthreads();
  }
  if (i < n) out[i] = s[now][t];
}
/// Exclusive, two elements a thread.
template <int kBlock>
__global__ void blelloch(const float* in, float* out) {
  constexpr int kBoth = 2 * kBlock;
  __shared__ float s[kBoth];
  const int t = threadIdx.x, from = blockIdx.x * kBoth;
  s[2 * t] = in[from + 2 * t];
  s[2 * t + 1] = in[from + 2 * t + 1];
  int offset = 1;
  for (int d = kBoth / 2; d > 0; d /= 2, offset *= 2) {
    __syncthreads();
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
  }
  if (t == 0) s[kBoth - 1] = 0;
  for (int d = 1; d < kBoth; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      const float x = s[a];
      s[a] = s[b];
      s[b] += x;
    }
  }
  __syncthreads();
  out[from + 2 * t] = s[2 * t];
  out[from + 2 * t + 1] = s[2 * t + 1];
}
__global__ void scan_shuffles(const int* in, int* out, int* sums, int n) {
  __shared__ int warps[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int x = i < n ? in[i] & 15 : 0;
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, x, d);
    if (lane >= d) x += other;
  }
  if (lane == 31) warps[warp] = x;
  __syncthreads();
  if (warp == 0) {
    int w = lane < blockDim.x / 32 ? warps[lane] : 0;
    for (int d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(0xffffffffu, w, d);
      if (lane >= d) w += other;
    }
    warps[lane] = w;
  }
  __syncthreads();
  if (warp > 0) x += warps[warp - 1];
  if (i < n) out[i] = x;
  if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = x;
}
__global__ void bitonic_step(int* keys, int j, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
  if (other <= i) return;
  const int a = keys[i], b = keys[other];
  const bool up = (i & k) == 0;
  keys[i] = up ? min(a, b) : max(a, b);
  keys[other] = up ? max(a, b) : min(a, b);
}
template <int kBlock>
__global__ void bitonic_shared(const float* in, float* out) {
  __shared__ float s[2 * kBlock];
  const int from = blockIdx.x * 2 * kBlock, t = threadIdx.x;
  s[t] = in[from + t];
  s[t + kBlock] = in[from + t + kBlock];
  for (int size = 2; size <= 2 * kBlock; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int at = 2 * t - (t & (stride - 1));
      const bool up = (t & (size / 2)) == 0;
      if ((s[at] > s[at + stride]) == up) {
        const float x = s[at];
        s[at] = s[at + stride];
        s[at + stride] = x;
      }
    }
  __syncthreads();
  out[from + t] = s[t];
  out[from + t + kBlock] = s[t + kBlock];
}
__global__ void letters_global(const unsigned char* text, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int at = text[i] - 'a';
  if (at >= 0 && at < 26) atomicAdd(&bins[at], 1);
}
/// Each block has its own bins; with kStretch each thread has a stretch of the text, else threads take turns.
template <bool kStretch>
__global__ void letters_shared(const unsigned char* text, int* bins, int n, int stretch) {
  __shared__ int mine[26];
  if (threadIdx.x < 26) mine[threadIdx.x] = 0;
  __syncthreads();
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  const int begin = kStretch ? thread * stretch : thread, end = kStretch ? min(n, begin + stretch) : n;
  for (int i = begin; i < end; i += kStretch ? 1 : all) {
    const int at = text[i] - 'a';
    if (at >= 0 && at < 26) atomicAdd(&mine[at], 1);
  }
  __syncthreads();
  if (threadIdx.x < 26) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
__global__ void count_byte(const unsigned char* text, int* count, int n, int what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && text[i] == what) atomicAdd(count, 1);
}
__global__ void count_words(const unsigned char* text, int* count, int n) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
  for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffffu, mine, d);
  if (threadIdx.x % 32 == 0) atomicAdd(count, mine);
}
__global__ void to_upper(const unsigned char* text, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = text[i] >= 'a' && text[i] <= 'z' ? text[i] - 32 : text[i];
}
__global__ void lower_bound(const int* sorted, int size, const int* keys, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int key = keys[i] % (7 * size);
  int at = 0, left = size;
  while (left > 0) {
    const int half = left / 2;
    if (sorted[at + half] < key) {
      at += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  out[i] = at;
}
/// Merges two sorted arrays: each thread finds the place of its own element.
__global__ void merge_by_rank(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int key = a[i];
  int low = 0, high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (b[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  out[i + low] = key;
}
__global__ void count_primes(int* count, int n) {
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 3;
  if (x >= n) return;
  bool prime = true;
  for (int d = 3; d * d <= x && prime; d += 2) prime = x % d != 0;
  if (prime) atomicAdd(count, 1);
}
__global__ void collatz(int* steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long x = i + 1;
  int count = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    ++count;
  }
  steps[i] = count;
}

// ---- Simulations and numbers

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

// ---- Sparse matrices and graphs

__global__ void spmv_scalar(const int* start, const int* column, const float* value, const float* x, float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = start[row]; k < start[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}
__global__ void spmv_vector(const int* start, const int* column, const float* value, const float* x, float* y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  float sum = 0;
  for (int k = start[row] + lane; k < start[row + 1]; k += 32) sum += value[k] * x[column[k]];
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}
__global__ void spmv_ell(const int* column, const float* value, const float* x, float* y, int rows, int per_row) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < per_row; ++k) sum += value[k * rows + row] * x[column[k * rows + row]];
  y[row] = sum;
}
/// Another kernel clears the frontier and marks what was found as visited.
__global__ void bfs_step(const int* start, const int* edges, const unsigned char* frontier, const unsigned char* visited,
    unsigned char* found,
                         int* cost, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || !frontier[node]) return;
  for (int k = start[node]; k < start[node + 1]; ++k) {
    const int to = edges[k];
    if (!visited[to]) {
      cost[to] = cost[node] + 1;
      found[to] = 1;
    }
  }
}
/// From the other side: who is not visited looks for a parent.
__global__ void bfs_pull(const int* start, const int* edges, const unsigned char* frontier, const unsigned char* visited,
    unsigned char* found,
                         int* cost, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || visited[node]) return;
  for (int k = start[node]; k < start[node + 1]; ++k)
    if (frontier[edges[k]]) {
      cost[node] = cost[edges[k]] + 1;
      found[node] = 1;
      break;
    }
}
template <class T>
__global__ void floyd_warshall(T* distance, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) distance[i * n + j] = min(distance[i * n + j], distance[i * n + k] + distance[k * n + j]);
}

inline dim3 over(int width, int height, dim3 block) { return dim3(blocks_for(width, block.x), blocks_for(height, block.y)); }

inline void fresh(Cases& cases) {
  const Pool& p = cases.pool;
  int* const out = (int*)p.b;
  float* const unit = made<float>(1 << 21, Between{0, 0, 1});
  float* const price = made<float>(1 << 19, Between{1u << 24, 5, 30});
  float* const strike = made<float>(1 << 19, Between{2u << 24, 1, 100});
  float* const years = made<float>(1 << 19, Between{3u << 24, 0.25f, 10});
  float* const moving = made<float>(1 << 21, Between{4u << 24, 0, 1});
  float* const distance = made<float>(1 << 20, Between{5u << 24, 1, 100});
  int* const lengths = made<int>(1 << 18, Between{6u << 24, 1, 100});
  double* const wide = made<double>(1 << 19, Between{7u << 24, 0, 1});
  __half2* const half_x = made<__half2>(1 << 20, Pair{0});
  __half2* const half_y = made<__half2>(1 << 20, Pair{1u << 24});
  unsigned char* const text = made<unsigned char>(1 << 22, Letters{});
  unsigned char* const cells = made<unsigned char>(1 << 20, OneIn{3});
  int* const keys = made<int>(1 << 20, Below{0, 1u << 30});
  int* const sorted = made<int>(1 << 20, Ascending{});
  int* const start = made<int>(kRows + 1, RowStart{});
  int* const anywhere = made<int>(kRows * kPerRow, Below{8u << 24, kRows});
  int* const near_diagonal = made<int>(kRows * kPerRow, NearDiagonal{});
  unsigned char* const few = made<unsigned char>(kRows, OneIn{16});
  unsigned char* const many = made<unsigned char>(kRows, OneIn{2});  // all of the few are of the many
  unsigned char* const found = made<unsigned char>(kRows, Zero{});
  int* const cost = made<int>(kRows, Zero{});
  CHECKED(cudaDeviceSynchronize());

  cases.family = "fresh_saxpy";
  cases.add("1000000", 256, 256, 0, saxpy<float>, 1000000, 2.0f, p.a, p.b);
  cases.add("3000000", 1024, 192, 0, saxpy<float>, 3000000, 2.0f, p.a, p.b);
  cases.add("double_300000", 512, 128, 0, saxpy<double>, 300000, 2.0, wide, (double*)p.c);
  cases.add("half2_1048576", 1024, 1024, 0, axpy_half2, 1 << 20, 0.001f, half_x, half_y);
  cases.family = "fresh_dot";
  cases.add("thread_atomics_100000", blocks_for(100000, 256), 256, 0, dot_thread_atomics, p.a, unit, p.c, 100000);
  cases.add("tree_32x256_33792", 32, 256, 1024, dot_tree, p.a, unit, p.c, 33 * 1024);
  cases.add("tree_256x512_2000000", 256, 512, 2048, dot_tree, p.a, unit, p.c, 2000000);
  cases.add("shuffles_500000", 264, 192, 0, dot_shuffles, p.a, unit, p.c, 500000);
  cases.add("shuffles_2097152", 512, 1024, 0, dot_shuffles, p.a, unit, p.c, 1 << 21);
  cases.family = "fresh_matvec";
  cases.add("row_thread_1024x1024", 16, 64, 0, matvec_row_thread, p.a, unit, p.c, 1024, 1024);
  cases.add("row_thread_20000x100", blocks_for(20000, 256), 256, 0, matvec_row_thread, p.a, unit, p.c, 20000, 100);
  cases.add("column_thread_4000x500", blocks_for(4000, 192), 192, 0, matvec_column_thread, p.a, unit, p.c, 4000, 500);
  cases.add("column_thread_16384x128", 64, 256, 0, matvec_column_thread, p.a, unit, p.c, 16384, 128);
  cases.add("row_warp_2000x1000", 500, 128, 0, matvec_row_warp, p.a, unit, p.c, 2000, 1000);
  cases.add("row_warp_8192x512", 512, 512, 0, matvec_row_warp, p.a, unit, p.c, 8192, 512);
  cases.add("row_block_500x4000", 500, 128, 0, matvec_row_block, p.a, unit, p.c, 4000);
  cases.add("row_block_1500x1500", 1500, 192, 0, matvec_row_block, p.a, unit, p.c, 1500);
  cases.family = "fresh_matmul";
  for (const int n : {100, 300})
    cases.add("16x16_" + std::to_string(n), over(n, n, dim3(16, 16)), dim3(16, 16), 0, matmul, p.a, unit, p.c, n, n, n);
  cases.add("32x32_400", over(400, 400, dim3(32, 32)), dim3(32, 32), 0, matmul, p.a, unit, p.c, 400, 400, 400);
  cases.add("64x1000x500", over(1000, 64, dim3(64, 2)), dim3(64, 2), 0, matmul, p.a, unit, p.c, 64, 1000, 500);
  cases.add("swapped_200", over(200, 200, dim3(16, 16)), dim3(16, 16), 0, matmul_swapped, p.a, unit, p.c, 200);
  cases.add("swapped_32x32_256", over(256, 256, dim3(32, 32)), dim3(32, 32), 0, matmul_swapped, p.a, unit, p.c, 256);
  cases.family = "fresh_matmul_tile";
  cases.add("8_200", over(200, 200, dim3(8, 8)), dim3(8, 8), 0, matmul_tile<float, 8>, p.a, unit, p.c, 200);
  cases.add("16_400", over(400, 400, dim3(16, 16)), dim3(16, 16), 0, matmul_tile<float, 16>, p.a, unit, p.c, 400);
  cases.add("24_300", over(300, 300, dim3(24, 24)), dim3(24, 24), 0, matmul_tile<float, 24>, p.a, unit, p.c, 300);
  cases.add("32_500", over(500, 500, dim3(32, 32)), dim3(32, 32), 0, matmul_tile<float, 32>, p.a, unit, p.c, 500);
  cases.add("double_16_256", over(256, 256, dim3(16, 16)), dim3(16, 16), 0, matmul_tile<double, 16>, wide, wide + (1 << 16), (double*)p.c,
            256);
  cases.family = "fresh_matmul_coarse";
  cases.add("16_by_2_512", dim3(16, 32), dim3(16, 16), 0, matmul_coarse<16, 2>, p.a, unit, p.c, 512);
  cases.add("16_by_4_512", dim3(8, 32), dim3(16, 16), 0, matmul_coarse<16, 4>, p.a, unit, p.c, 512);
  cases.add("32_by_2_512", dim3(8, 16), dim3(32, 32), 0, matmul_coarse<32, 2>, p.a, unit, p.c, 512);
  cases.add("32_by_4_384", dim3(3, 12), dim3(32, 32), 0, matmul_coarse<32, 4>, p.a, unit, p.c, 384);
  cases.add("2x2_512", dim3(16, 16), dim3(16, 16), 0, matmul_four, p.a, unit, p.c, 512);
  cases.family = "fresh_transpose";
  cases.add("writes_1000", over(1000, 1000, dim3(16, 16)), dim3(16, 16), 0, transpose_writes, p.a, p.c, 1000, 1000);
  cases.add("writes_2000x500", over(500, 2000, dim3(64, 4)), dim3(64, 4), 0, transpose_writes, p.a, p.c, 2000, 500);
  cases.add("tile_16_1000", over(1000, 1000, dim3(16, 16)), dim3(16, 16), 0, transpose_tile<float, 16, 0>, p.a, p.c, 1000, 1000);
  cases.add("tile_32_padded_1500x700", over(1500, 700, dim3(32, 32)), dim3(32, 32), 0, transpose_tile<float, 32, 1>, p.a, p.c, 1500, 700);
  cases.add("tile_32_2048", dim3(64, 64), dim3(32, 32), 0, transpose_tile<float, 32, 0>, p.a, p.c, 2048, 2048);
  cases.add("double_16_padded_512", dim3(32, 32), dim3(16, 16), 0, transpose_tile<double, 16, 1>, wide, (double*)p.c, 512, 512);
  cases.family = "fresh_matrix_add";
  cases.add("good_1000", over(1000, 1000, dim3(16, 16)), dim3(16, 16), 0, matrix_add<true>, p.a, unit, p.c, 1000);
  cases.add("good_32x32_1400", over(1400, 1400, dim3(32, 32)), dim3(32, 32), 0, matrix_add<true>, p.a, unit, p.c, 1400);
  cases.add("bad_1000", over(1000, 1000, dim3(32, 8)), dim3(32, 8), 0, matrix_add<false>, p.a, unit, p.c, 1000);
  cases.add("row_thread_1024", 16, 64, 0, matrix_add_row, p.a, unit, p.c, 1024);
  cases.add("column_thread_1024", 8, 128, 0, matrix_add_column, p.a, unit, p.c, 1024);
  cases.family = "fresh_softmax";
  cases.add("block_512x1000", 512, 256, 0, softmax_block<256>, unit, p.c, 1000);
  cases.add("block_128x8192", 128, 512, 0, softmax_block<512>, unit, p.c, 8192);
  cases.add("thread_8192x64", 64, 128, 0, softmax_thread, unit, p.c, 8192, 64);
  cases.add("warp_4096x128", 1024, 128, 0, softmax_warp<4>, unit, p.c, 4096, 128);
  cases.add("warp_2000x500", 250, 256, 0, softmax_warp<16>, unit, p.c, 2000, 500);
  cases.family = "fresh_layer_norm";
  cases.add("1024x768", 1024, 192, 0, layer_norm, unit, p.a, price, p.c, 768);
  cases.add("256x1024", 256, 1024, 0, layer_norm, unit, p.a, price, p.c, 1024);
  cases.add("4096x256", 4096, 64, 0, layer_norm, unit, p.a, price, p.c, 256);
  cases.family = "fresh_conv2d";
  cases.add("3x3_1024", over(1024, 1024, dim3(32, 8)), dim3(32, 8), 0, conv2d<1>, p.a, p.c, 1024, 1024);
  cases.add("5x5_800x600", over(800, 600, dim3(16, 16)), dim3(16, 16), 0, conv2d<2>, p.a, p.c, 800, 600);
  cases.add("7x7_512", over(512, 512, dim3(32, 32)), dim3(32, 32), 0, conv2d<3>, p.a, p.c, 512, 512);
  cases.add("shared_3x3_1000", over(1000, 1000, dim3(14, 14)), dim3(16, 16), 0, conv2d_shared<1, 16>, p.a, p.c, 1000, 1000);
  cases.add("shared_5x5_1024", over(1024, 1024, dim3(28, 28)), dim3(32, 32), 0, conv2d_shared<2, 32>, p.a, p.c, 1024, 1024);
  cases.family = "fresh_conv1d";
  cases.add("9_1048576", 2048, 512, 0, conv1d, p.a, p.c, 1 << 20, 9);
  cases.add("31_250000", blocks_for(250000, 128), 128, 0, conv1d, p.a, p.c, 250000, 31);
  cases.add("plain_32_500000", blocks_for(500000, 256), 256, 0, conv1d_plain, p.a, unit, p.c, 500000, 32);
  cases.add("shared_9_1048576", 4096, 256, 0, conv1d_shared<256, 4>, p.a, p.c, 1 << 20);
  cases.family = "fresh_jacobi";
  for (const int n : {500, 1400})
    cases.add(std::to_string(n), over(n - 2, n - 2, dim3(16, 16)), dim3(16, 16), 0, jacobi, p.a, unit, p.c, n, 0.01f);
  cases.add("64x2_1024", over(1022, 1022, dim3(64, 2)), dim3(64, 2), 0, jacobi, p.a, unit, p.c, 1024, 0.01f);
  cases.add("residual_1000", over(998, 998, dim3(32, 8)), 256, 0, jacobi_residual, p.a, unit, p.c, (float*)p.counters, 1000, 0.01f);
  cases.family = "fresh_heat";
  cases.add("8x8x8_64", dim3(8, 8, 8), dim3(8, 8, 8), 0, heat<float>, unit, p.c, 64, 0.1f);
  cases.add("32x4x2_100", dim3(4, 25, 50), dim3(32, 4, 2), 0, heat<float>, unit, p.c, 100, 0.1f);
  cases.add("16x8x8_128", dim3(8, 16, 16), dim3(16, 8, 8), 0, heat<float>, unit, p.c, 128, 0.1f);
  cases.add("double_8x8x8_80", dim3(10, 10, 10), dim3(8, 8, 8), 0, heat<double>, wide, (double*)p.c, 80, 0.1);
  cases.family = "fresh_life";
  cases.add("1024", over(1024, 1024, dim3(16, 16)), dim3(16, 16), 0, life, cells, (unsigned char*)p.c, 1024, 1024);
  cases.add("600x400", over(600, 400, dim3(32, 16)), dim3(32, 16), 0, life, cells, (unsigned char*)p.c, 600, 400);
  cases.add("shared_1024", dim3(32, 64), dim3(32, 16), 0, life_shared, cells, (unsigned char*)p.c, 1024, 1024);
  cases.family = "fresh_image";
  cases.add("gray_1024", over(1024, 1024, dim3(16, 16)), dim3(16, 16), 0, gray, (uchar4*)text, (unsigned char*)p.c, 1024, 1024);
  cases.add("gray_packed_1000000", blocks_for(1000000, 512), 512, 0, gray_packed, text, (unsigned char*)p.c, 1000000);
  cases.add("blur_1_1024", over(1024, 1024, dim3(32, 32)), dim3(32, 32), 0, blur, (uchar4*)text, (uchar4*)p.c, 1024, 1024, 1);
  cases.add("blur_3_640x480", over(640, 480, dim3(16, 16)), dim3(16, 16), 0, blur, (uchar4*)text, (uchar4*)p.c, 640, 480, 3);
  cases.add("sobel_1920x1080", over(1918, 1078, dim3(32, 4)), dim3(32, 4), 0, sobel, text, (unsigned char*)p.c, 1920, 1080);
  cases.family = "fresh_julia";
  cases.add("256", over(256, 256, dim3(16, 16)), dim3(16, 16), 0, julia, (uchar4*)p.c, 256, 256, 200);
  cases.add("800x600", over(800, 600, dim3(8, 8)), dim3(8, 8), 0, julia, (uchar4*)p.c, 800, 600, 100);
  cases.add("1024x256_rows", over(1024, 256, dim3(1024, 1)), dim3(1024, 1), 0, julia, (uchar4*)p.c, 1024, 256, 200);
  cases.family = "fresh_scan";
  cases.add("hillis_steele_256_1000000", blocks_for(1000000, 256), 256, 0, hillis_steele<256>, p.a, p.c, 1000000);
  cases.add("hillis_steele_1024_300000", blocks_for(300000, 1024), 1024, 0, hillis_steele<1024>, p.a, p.c, 300000);
  cases.add("blelloch_128_524288", 2048, 128, 0, blelloch<128>, p.a, p.c);
  cases.add("blelloch_512_1048576", 1024, 512, 0, blelloch<512>, p.a, p.c);
  cases.add("shuffles_1000000", blocks_for(1000000, 512), 512, 0, scan_shuffles, p.index, out, p.counters, 1000000);
  cases.family = "fresh_bitonic";
  cases.add("step_1_of_2", 1024, 1024, 0, bitonic_step, keys, 1, 2);
  cases.add("step_64_of_256", 4096, 256, 0, bitonic_step, keys, 64, 256);
  cases.add("step_32768_of_131072", 2048, 512, 0, bitonic_step, keys, 32768, 131072);
  cases.add("shared_128_32768", 128, 128, 0, bitonic_shared<128>, unit, p.c);
  cases.add("shared_512_524288", 512, 512, 0, bitonic_shared<512>, unit, p.c);
  cases.family = "fresh_letters";
  cases.add("global_200000", blocks_for(200000, 256), 256, 0, letters_global, text, p.counters, 200000);
  cases.add("shared_1048576", 264, 256, 0, letters_shared<false>, text, p.counters, 1 << 20, 0);
  cases.add("shared_3000000", 512, 512, 0, letters_shared<false>, text, p.counters, 3000000, 0);
  cases.add("stretches_of_32_1048576", 256, 128, 0, letters_shared<true>, text, p.counters, 1 << 20, 32);
  cases.family = "fresh_bytes";
  cases.add("count_1000000", blocks_for(1000000, 192), 192, 0, count_byte, text, p.counters, 1000000, 'e');
  cases.add("words_4194304", 1024, 256, 0, count_words, text, p.counters, 1 << 22);
  cases.add("upper_4000000", blocks_for(4000000, 512), 512, 0, to_upper, text, (unsigned char*)p.c, 4000000);
  cases.family = "fresh_reverse";
  cases.add("to_1000000", blocks_for(1000000, 256), 256, 0, reverse_to, p.index, out, 1000000);
  cases.add("in_place_2000000", blocks_for(1000000, 1024), 1024, 0, reverse_in_place, out, 2000000);
  cases.add("shared_500000", blocks_for(500000, 512), 512, 0, reverse_shared, p.index, out, 500000);
  cases.family = "fresh_max";
  cases.add("atomic_100000", blocks_for(100000, 256), 256, 0, max_atomic, p.index, p.counters, 100000);
  cases.add("atomic_1000000", blocks_for(1000000, 1024), 1024, 0, max_atomic, p.index, p.counters, 1000000);
  cases.add("by_block_2000000", 528, 256, 0, max_by_block, p.index, p.counters, 2000000);
  cases.family = "fresh_elementwise";
  cases.add("relu_1000000", blocks_for(1000000, 128), 128, 0, relu, unit, p.c, 1000000);
  cases.add("sigmoid_2000000", blocks_for(2000000, 256), 256, 0, sigmoid, unit, p.c, 2000000);
  cases.add("gelu_float4_1048576", 512, 512, 0, gelu, (float4*)unit, (float4*)p.c, 1 << 18);
  cases.family = "fresh_horner";
  cases.add("float_15_1000000", blocks_for(1000000, 256), 256, 0, horner<float>, unit, p.a, p.c, 1000000, 15);
  cases.add("float_100_100000", blocks_for(100000, 64), 64, 0, horner<float>, unit, p.a, p.c, 100000, 100);
  cases.add("double_20_400000", blocks_for(400000, 192), 192, 0, horner<double>, wide, wide + (1 << 18), (double*)p.c, 400000, 20);
  cases.family = "fresh_search";
  cases.add("in_10000", 1024, 256, 0, lower_bound, sorted, 10000, keys, out, 1 << 18);
  cases.add("in_1048576", 512, 512, 0, lower_bound, sorted, 1 << 20, p.index, out, 1 << 18);
  cases.add("merge_250000", blocks_for(250000, 128), 128, 0, merge_by_rank, sorted, sorted + 1000, out, 250000);
  cases.family = "fresh_numbers";
  cases.add("primes_30000", blocks_for(15000, 256), 256, 0, count_primes, p.counters, 30000);
  cases.add("primes_200000", blocks_for(100000, 64), 64, 0, count_primes, p.counters, 200000);
  cases.add("collatz_100000", blocks_for(100000, 128), 128, 0, collatz, out, 100000);
  cases.family = "fresh_bodies";
  cases.add("tile_64_1024", 16, 64, 64 * 16, bodies, (float4*)unit, (float4*)p.c, 1024);
  cases.add("tile_256_4096", 16, 256, 256 * 16, bodies, (float4*)unit, (float4*)p.c, 4096);
  cases.add("plain_2000", blocks_for(2000, 128), 128, 0, bodies_plain, unit, unit + 4096, unit + 8192, p.c, p.c + 4096, p.c + 8192, 2000);
  cases.family = "fresh_kmeans";
  const float* const centres = unit + 2000000;
  cases.add("2_dims_8_100000", blocks_for(100000, 256), 256, 0, assign, unit, centres, out, 100000, 8, 2);
  cases.add("16_dims_20_50000", blocks_for(50000, 128), 128, 0, assign, unit, centres, out, 50000, 20, 16);
  cases.add("shared_3_dims_32_200000", blocks_for(200000, 512), 512, 32 * 3 * 4, assign_shared<3>, unit, centres, out, 200000, 32);
  cases.add("shared_8_dims_64_65536", 512, 128, 64 * 8 * 4, assign_shared<8>, unit, centres, out, 65536, 64);
  cases.family = "fresh_random";
  cases.add("pi_64x128_1000", 64, 128, 0, pi_thread, p.counters, 1000);
  cases.add("pi_264x256_200", 264, 256, 0, pi_thread, p.counters, 200);
  cases.add("pi_block_100x512_300", 100, 512, 0, pi_block, (double*)p.c, 300);
  cases.add("xorshift_100000x16", blocks_for(100000, 192), 192, 0, xorshift, (unsigned*)p.c, 16, 100000);
  cases.add("normal_100000", blocks_for(100000, 256), 256, 0, xorshift_normal, (const unsigned*)p.index, p.c, 100000);
  cases.family = "fresh_black_scholes";
  cases.add("float_65536", 512, 128, 0, black_scholes<float>, price, strike, years, p.b, p.c, 1 << 16, 0.02f, 0.3f);
  cases.add("float_500000", blocks_for(500000, 256), 256, 0, black_scholes<float>, price, strike, years, p.b, p.c, 500000, 0.02f, 0.3f);
  cases.add("double_50000", blocks_for(50000, 192), 192, 0, black_scholes<double>, price, strike, years, (double*)p.b, (double*)p.c,
            50000, 0.02, 0.3);
  cases.family = "fresh_particles";
  const int n = 1 << 18;
  for (const int some : {50000, n}) {
    cases.add("structs_" + std::to_string(some), blocks_for(some, 256), 256, 0, move_structs, (Particle*)moving, some, 0.001f);
    cases.add("arrays_" + std::to_string(some), blocks_for(some, 256), 256, 0, move_arrays, moving, moving + n, moving + 2 * n,
        moving + 3 * n,
              moving + 4 * n, moving + 5 * n, some, 0.001f);
  }
  cases.family = "fresh_fft";
  cases.add("stage_1_1048576", 2048, 256, 0, fft_stage, (float2*)p.a, (float2*)p.c, 1 << 19, 1);
  cases.add("stage_512_262144", 1024, 128, 0, fft_stage, (float2*)p.a, (float2*)p.c, 1 << 17, 512);
  cases.add("stage_131072_1048576", 512, 1024, 0, fft_stage, (float2*)p.a, (float2*)p.c, 1 << 19, 1 << 17);
  cases.add("blocks_64", 64, 512, 0, fft_block, (float2*)unit, (float2*)p.c);
  cases.add("blocks_512", 512, 512, 0, fft_block, (float2*)unit, (float2*)p.c);
  cases.family = "fresh_spmv";
  cases.add("scalar_banded_65536", 256, 256, 0, spmv_scalar, start, near_diagonal, unit, p.a, p.c, kRows);
  cases.add("scalar_random_65536", 512, 128, 0, spmv_scalar, start, anywhere, unit, p.a, p.c, kRows);
  cases.add("vector_banded_20000", blocks_for(20000 * 32, 128), 128, 0, spmv_vector, start, near_diagonal, unit, p.a, p.c, 20000);
  cases.add("vector_random_65536", kRows / 8, 256, 0, spmv_vector, start, anywhere, unit, p.a, p.c, kRows);
  cases.add("ell_random_65536", 128, 512, 0, spmv_ell, anywhere, unit, p.a, p.c, kRows, kPerRow);
  cases.family = "fresh_bfs";
  cases.add("few_65536", 128, 512, 0, bfs_step, start, anywhere, few, many, found, cost, kRows);
  cases.add("many_65536", 256, 256, 0, bfs_step, start, anywhere, many, many, found, cost, kRows);
  cases.add("pull_50000", blocks_for(50000, 192), 192, 0, bfs_pull, start, anywhere, few, many, found, cost, 50000);
  cases.family = "fresh_floyd_warshall";
  cases.add("int_500", over(500, 500, dim3(32, 8)), dim3(32, 8), 0, floyd_warshall<int>, lengths, 500, 250);
  cases.add("float_1000", over(1000, 1000, dim3(16, 16)), dim3(16, 16), 0, floyd_warshall<float>, distance, 1000, 500);
  cases.add("float_64x1_1000", over(1000, 1000, dim3(64, 1)), dim3(64, 1), 0, floyd_warshall<float>, distance, 1000, 7);
}

}  // namespace fresh_kernels

using fresh_kernels::fresh;
