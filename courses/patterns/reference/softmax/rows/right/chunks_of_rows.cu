// softmax rows: a row is cut into chunks, so that few long rows fill a card, too. Kernels of their own find each chunk's
// part, join the parts, and write.
#include "contract.cuh"

#include <cmath>
#include <cstddef>

constexpr int block_size = 128;
constexpr int chunk = 1024;

struct Chunks {
  int rows, cols, each;  // each: chunks of a row
  __device__ int row(long long k) const { return static_cast<int>(k / each); }
  __device__ int begin(long long k) const { return static_cast<int>(k % each) * chunk; }
  __device__ int end(long long k) const { return min(begin(k) + chunk, cols); }
  unsigned count() const { return static_cast<unsigned>(rows) * static_cast<unsigned>(each); }
};

// Floats of either sign in the order of unsigned numbers.
__device__ unsigned ordered(float x) {
  const unsigned bits = __float_as_uint(x);
  return (bits >> 31) != 0 ? ~bits : bits | 0x80000000u;
}
__device__ float value_of(unsigned key) {
  return __uint_as_float((key >> 31) != 0 ? key & 0x7fffffffu : ~key);
}

__global__ void maximum_kernel(const float* x, unsigned* largest, Chunks chunks) {
  const float* row = x + static_cast<size_t>(chunks.row(blockIdx.x)) * chunks.cols;
  unsigned mine = 0;
  for (int c = chunks.begin(blockIdx.x) + static_cast<int>(threadIdx.x); c < chunks.end(blockIdx.x);
       c += block_size)
    mine = max(mine, ordered(row[c]));
  for (int mask = 16; mask > 0; mask /= 2) mine = max(mine, __shfl_xor_sync(0xffffffffu, mine, mask));
  if (threadIdx.x % 32 == 0) atomicMax(&largest[chunks.row(blockIdx.x)], mine);
}

__global__ void sum_kernel(const float* x, const unsigned* largest, float* sums, Chunks chunks) {
  const int r = chunks.row(blockIdx.x);
  const float* row = x + static_cast<size_t>(r) * chunks.cols;
  const float most = value_of(largest[r]);
  float mine = 0;
  for (int c = chunks.begin(blockIdx.x) + static_cast<int>(threadIdx.x); c < chunks.end(blockIdx.x);
       c += block_size)
    mine += expf(row[c] - most);
  for (int mask = 16; mask > 0; mask /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, mask);
  if (threadIdx.x % 32 == 0) atomicAdd(&sums[r], mine);
}

__global__ void divide_kernel(const float* x, float* y, const unsigned* largest, const float* sums,
                              Chunks chunks) {
  const int r = chunks.row(blockIdx.x);
  const size_t row = static_cast<size_t>(r) * chunks.cols;
  for (int c = chunks.begin(blockIdx.x) + static_cast<int>(threadIdx.x); c < chunks.end(blockIdx.x);
       c += block_size)
    y[row + c] = expf(x[row + c] - value_of(largest[r])) / sums[r];
}

void softmax_passes(const float* x, float* y, int rows, int cols) {
  if (rows == 0) return;
  const Chunks chunks{rows, cols, (cols - 1) / chunk + 1};
  unsigned* largest = nullptr;
  float* sums = nullptr;
  cudaMalloc(&largest, static_cast<size_t>(rows) * sizeof *largest);
  cudaMalloc(&sums, static_cast<size_t>(rows) * sizeof *sums);
  cudaMemset(largest, 0, static_cast<size_t>(rows) * sizeof *largest);
  cudaMemset(sums, 0, static_cast<size_t>(rows) * sizeof *sums);
  maximum_kernel<<<chunks.count(), block_size>>>(x, largest, chunks);
  sum_kernel<<<chunks.count(), block_size>>>(x, largest, sums, chunks);
  divide_kernel<<<chunks.count(), block_size>>>(x, y, largest, sums, chunks);
  cudaFree(largest);
  cudaFree(sums);
}

// By the two-argument form: the old sum and the new term are both scaled to the new maximum.
__device__ float2 with(float2 seen, float x) {
  const float most = fmaxf(seen.x, x);
  return make_float2(most, seen.y * expf(seen.x - most) + expf(x - most));
}
__device__ float2 join(float2 a, float2 b) {
  const float most = fmaxf(a.x, b.x);
  if (most == -INFINITY) return a;
  return make_float2(most, a.y * expf(a.x - most) + b.y * expf(b.x - most));
}
__device__ float2 join_warp(float2 mine) {
  for (int mask = 16; mask > 0; mask /= 2)
    mine = join(mine, make_float2(__shfl_xor_sync(0xffffffffu, mine.x, mask),
                                  __shfl_xor_sync(0xffffffffu, mine.y, mask)));
  return mine;
}

// A warp's part of a chunk, into parts[]; a chunk has four.
__global__ void parts_kernel(const float* x, float2* parts, Chunks chunks) {
  const float* row = x + static_cast<size_t>(chunks.row(blockIdx.x)) * chunks.cols;
  float2 mine = make_float2(-INFINITY, 0);
  for (int c = chunks.begin(blockIdx.x) + static_cast<int>(threadIdx.x); c < chunks.end(blockIdx.x);
       c += block_size)
    mine = with(mine, row[c]);
  mine = join_warp(mine);
  if (threadIdx.x % 32 == 0) parts[blockIdx.x * (block_size / 32) + threadIdx.x / 32] = mine;
}

__global__ void finish_kernel(const float* x, float* y, const float2* parts, Chunks chunks) {
  const int r = chunks.row(blockIdx.x), count = chunks.each * (block_size / 32);
  float2 all = make_float2(-INFINITY, 0);
  for (int k = static_cast<int>(threadIdx.x) % 32; k < count; k += 32)
    all = join(all, parts[static_cast<size_t>(r) * count + k]);
  all = join_warp(all);
  const size_t row = static_cast<size_t>(r) * chunks.cols;
  for (int c = chunks.begin(blockIdx.x) + static_cast<int>(threadIdx.x); c < chunks.end(blockIdx.x);
       c += block_size)
    y[row + c] = expf(x[row + c] - all.x) / all.y;
}

static void online(const float* x, float* y, int rows, int cols) {
  if (rows == 0) return;
  const Chunks chunks{rows, cols, (cols - 1) / chunk + 1};
  float2* parts = nullptr;
  cudaMalloc(&parts, static_cast<size_t>(chunks.count()) * (block_size / 32) * sizeof *parts);
  parts_kernel<<<chunks.count(), block_size>>>(x, parts, chunks);
  finish_kernel<<<chunks.count(), block_size>>>(x, y, parts, chunks);
  cudaFree(parts);
}

void softmax_online(const float* x, float* y, int rows, int cols) { online(x, y, rows, cols); }

// A warp that keeps the first columns of its row in registers, and walks over the rows.
__global__ void registers_kernel(const float* x, float* y, int rows, int cols) {
  constexpr int kept = 32;  // elements of a lane
  const int lane = static_cast<int>(threadIdx.x) % 32, warps = static_cast<int>(gridDim.x * blockDim.x / 32);
  for (int r = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32); r < rows; r += warps) {
    const float* row = x + static_cast<size_t>(r) * cols;
    float* out = y + static_cast<size_t>(r) * cols;
    float mine[kept];
#pragma unroll
    for (int i = 0; i < kept; ++i) mine[i] = lane + 32 * i < cols ? row[lane + 32 * i] : -INFINITY;
    float most = mine[0];
#pragma unroll
    for (int i = 1; i < kept; ++i) most = fmaxf(most, mine[i]);
    for (int c = lane + 32 * kept; c < cols; c += 32) most = fmaxf(most, row[c]);
    for (int mask = 16; mask > 0; mask /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, mask));
    float sum = 0;
#pragma unroll
    for (int i = 0; i < kept; ++i) {
      mine[i] = expf(mine[i] - most);
      sum += mine[i];
    }
    for (int c = lane + 32 * kept; c < cols; c += 32) sum += expf(row[c] - most);
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
#pragma unroll
    for (int i = 0; i < kept; ++i)
      if (lane + 32 * i < cols) out[lane + 32 * i] = mine[i] / sum;
    for (int c = lane + 32 * kept; c < cols; c += 32) out[c] = expf(row[c] - most) / sum;
  }
}

void softmax_warp(const float* x, float* y, int rows, int cols) {
  if (rows == 0) return;
  registers_kernel<<<min((rows - 1) / 4 + 1, 4096), block_size>>>(x, y, rows, cols);
}
