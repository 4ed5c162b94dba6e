// softmax rows: shuffles within the warps, shared memory between them; a row's terms are kept in y between the passes;
// and __expf() instead of expf().
#include "contract.cuh"

#include <cmath>
#include <cstddef>

constexpr int block_size = 512;
constexpr int warps = block_size / 32;
constexpr unsigned all_lanes = 0xffffffffu;

__device__ float warp_maximum(float x) {
  for (int mask = 16; mask > 0; mask /= 2) x = fmaxf(x, __shfl_xor_sync(all_lanes, x, mask));
  return x;
}
__device__ float warp_sum(float x) {
  for (int mask = 16; mask > 0; mask /= 2) x += __shfl_xor_sync(all_lanes, x, mask);
  return x;
}

// The second pass writes the terms, the third divides them.
__global__ void passes_kernel(const float* x, float* y, int cols) {
  __shared__ float maxima[warps], sums[warps];
  const size_t begin = static_cast<size_t>(blockIdx.x) * cols;
  const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  float most = -INFINITY;
  for (int c = t; c < cols; c += block_size) most = fmaxf(most, x[begin + c]);
  most = warp_maximum(most);
  if (lane == 0) maxima[warp] = most;
  __syncthreads();
  most = warp_maximum(maxima[lane % warps]);
  float sum = 0;
  for (int c = t; c < cols; c += block_size) sum += y[begin + c] = __expf(x[begin + c] - most);
  sum = warp_sum(sum);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  sum = warp_sum(lane < warps ? sums[lane] : 0);
  for (int c = t; c < cols; c += block_size) y[begin + c] /= sum;
}

void softmax_passes(const float* x, float* y, int rows, int cols) {
  if (rows > 0) passes_kernel<<<rows, block_size>>>(x, y, cols);
}

// All threads agree on the maximum of each stretch of the row, and scale their sums when it grows.
__global__ void stretches_kernel(const float* x, float* y, int rows, int cols) {
  __shared__ float maxima[2][warps], sums[warps];
  const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  for (int r = static_cast<int>(blockIdx.x); r < rows; r += static_cast<int>(gridDim.x)) {
    const size_t begin = static_cast<size_t>(r) * cols;
    float most = -INFINITY, sum = 0;
    int turn = 0;
    for (int c = 0; c < cols; c += block_size, turn ^= 1) {
      const float mine = c + t < cols ? x[begin + c + t] : -INFINITY;
      const float of_warp = warp_maximum(mine);
      if (lane == 0) maxima[turn][warp] = of_warp;
      __syncthreads();
      const float before = most;
      most = fmaxf(most, warp_maximum(maxima[turn][lane % warps]));
      sum = sum * __expf(before - most) + __expf(mine - most);
    }
    sum = warp_sum(sum);
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    sum = warp_sum(lane < warps ? sums[lane] : 0);
    for (int c = t; c < cols; c += block_size) y[begin + c] = __expf(x[begin + c] - most) / sum;
    __syncthreads();  // shared memory is free for the next row
  }
}

void softmax_online(const float* x, float* y, int rows, int cols) {
  if (rows > 0) stretches_kernel<<<min(rows, 5000), block_size>>>(x, y, rows, cols);
}

// Two passes, each ended by the lanes' exchange.
__global__ void warp_kernel(const float* x, float* y, int rows, int cols) {
  const int r = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y), lane = static_cast<int>(threadIdx.x);
  if (r >= rows) return;
  const size_t begin = static_cast<size_t>(r) * cols;
  float most = -INFINITY, sum = 0;
  for (int c = lane; c < cols; c += 32) most = fmaxf(most, x[begin + c]);
  most = warp_maximum(most);
  for (int c = lane; c < cols; c += 32) sum += __expf(x[begin + c] - most);
  sum = warp_sum(sum);
  for (int c = lane; c < cols; c += 32) y[begin + c] = __expf(x[begin + c] - most) / sum;
}

void softmax_warp(const float* x, float* y, int rows, int cols) {
  if (rows > 0) warp_kernel<<<(rows - 1) / 4 + 1, dim3(32, 4)>>>(x, y, rows, cols);
}
