// softmax rows: y is exp(x - log of the row's sum). The logarithm of a sum of exponentials is one number, which two
// parts of a row can put together. And a row in dynamic shared memory where it fits.
#include "contract.cuh"

#include <cmath>
#include <cstddef>

constexpr int block_size = 128;
constexpr unsigned all_lanes = 0xffffffffu;

// log(exp(a) + exp(b)); -INFINITY is the logarithm of nothing.
__device__ float add(float a, float b) {
  const float most = fmaxf(a, b);
  return most == -INFINITY ? most : most + log1pf(expf(fminf(a, b) - most));
}

template <class Combine>
__device__ float of_block(float mine, float* room, Combine combine) {
  const int t = static_cast<int>(threadIdx.x);
  for (int distance = block_size / 2; distance > 0; distance /= 2) {
    room[t] = mine;
    __syncthreads();
    if (t < distance) mine = combine(mine, room[t + distance]);
    __syncthreads();
  }
  if (t == 0) room[0] = mine;
  __syncthreads();
  mine = room[0];
  __syncthreads();
  return mine;
}

__global__ void staged_kernel(const float* x, float* y, int cols, int staged) {
  extern __shared__ float row[];  // its first elements
  __shared__ float room[block_size];
  const size_t begin = static_cast<size_t>(blockIdx.x) * cols;
  const int t = static_cast<int>(threadIdx.x);
  float most = -INFINITY, sum = 0;
  for (int c = t; c < cols; c += block_size) {
    const float mine = x[begin + c];
    if (c < staged) row[c] = mine;
    most = fmaxf(most, mine);
  }
  most = of_block(most, room, [](float a, float b) { return fmaxf(a, b); });
  for (int c = t; c < cols; c += block_size) sum += expf((c < staged ? row[c] : x[begin + c]) - most);
  sum = of_block(sum, room, [](float a, float b) { return a + b; });
  for (int c = t; c < cols; c += block_size)
    y[begin + c] = expf((c < staged ? row[c] : x[begin + c]) - most) / sum;
}

void softmax_passes(const float* x, float* y, int rows, int cols) {
  if (rows == 0) return;
  const int staged = cols < 4096 ? cols : 4096;
  staged_kernel<<<rows, block_size, staged * sizeof(float)>>>(x, y, cols, staged);
}

__global__ void logarithm_kernel(const float* x, float* y, int cols) {
  __shared__ float room[block_size];
  const size_t begin = static_cast<size_t>(blockIdx.x) * cols;
  float all = -INFINITY;
  for (int c = static_cast<int>(threadIdx.x); c < cols; c += block_size) all = add(all, x[begin + c]);
  all = of_block(all, room, add);
  for (int c = static_cast<int>(threadIdx.x); c < cols; c += block_size)
    y[begin + c] = expf(x[begin + c] - all);
}

void softmax_online(const float* x, float* y, int rows, int cols) {
  if (rows > 0) logarithm_kernel<<<rows, block_size>>>(x, y, cols);
}

__global__ void logarithm_warp_kernel(const float* x, float* y, int rows, int cols) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const long long r = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const size_t begin = static_cast<size_t>(r < rows ? r : 0) * cols;
  float all = -INFINITY;
  for (int c = lane; c < cols; c += 32) all = add(all, x[begin + c]);
  for (int distance = 1; distance < 32; distance *= 2)
    all = add(all, __shfl_xor_sync(all_lanes, all, distance));
  if (r < rows)
    for (int c = lane; c < cols; c += 32) y[begin + c] = expf(x[begin + c] - all);
}

void softmax_warp(const float* x, float* y, int rows, int cols) {
  if (rows > 0) logarithm_warp_kernel<<<(rows - 1) / (block_size / 32) + 1, block_size>>>(x, y, rows, cols);
}
