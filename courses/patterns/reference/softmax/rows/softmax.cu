// softmax rows, the reference solution: the softmax of each row, three times.
#include "contract.cuh"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

// A launch reports nothing by itself: ask, or a wrong configuration goes unseen.
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

constexpr int block_size = 256;
constexpr int warp_size = 32;
constexpr unsigned all_lanes = 0xffffffffu;

struct Larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// Combines the values of all threads of a block; each of them gets the result. `room` is free again afterwards.
template <class T, class Combine>
__device__ T combine_block(T mine, T* room, Combine combine) {
  const int t = static_cast<int>(threadIdx.x);
  room[t] = mine;
  __syncthreads();
  for (int half = block_size / 2; half > 0; half /= 2) {
    if (t < half) room[t] = combine(room[t], room[t + half]);
    __syncthreads();
  }
  const T result = room[0];
  __syncthreads();
  return result;
}

// exp(x - maximum) is at most 1, and 1 for one element at least: neither the terms nor the sum overflow, and the sum is
// not 0.
__global__ void softmax_passes_kernel(const float* x, float* y, int cols) {
  __shared__ float room[block_size];
  const float* row = x + static_cast<size_t>(blockIdx.x) * cols;
  float* out = y + static_cast<size_t>(blockIdx.x) * cols;
  const int t = static_cast<int>(threadIdx.x);

  float largest = -INFINITY;
  for (int c = t; c < cols; c += block_size) largest = fmaxf(largest, row[c]);
  largest = combine_block(largest, room, Larger());

  float sum = 0;
  for (int c = t; c < cols; c += block_size) sum += expf(row[c] - largest);
  sum = combine_block(sum, room, Sum());

  const float factor = 1 / sum;
  for (int c = t; c < cols; c += block_size) out[c] = expf(row[c] - largest) * factor;
}

void softmax_passes(const float* x, float* y, int rows, int cols) {
  if (rows == 0) return;  // a grid must not be empty
  softmax_passes_kernel<<<rows, block_size>>>(x, y, cols);
  CHECK(cudaGetLastError());
}

// The part of a row that somebody has seen: its maximum, and the sum of exp(x - maximum).
struct alignas(8) Seen {  // moves as a whole
  float largest, sum;
};

__device__ Seen nothing() { return {-INFINITY, 0}; }

// A larger maximum makes the terms of a sum smaller, all by the same factor. Where nothing was seen, -INFINITY minus
// itself would be no number.
__device__ Seen operator+(const Seen& a, const Seen& b) {
  const Seen& more = a.largest >= b.largest ? a : b;
  const Seen& less = a.largest >= b.largest ? b : a;
  return {more.largest, less.sum == 0 ? more.sum : more.sum + less.sum * expf(less.largest - more.largest)};
}

struct Join {
  __device__ Seen operator()(const Seen& a, const Seen& b) const { return a + b; }
};

// Threads that stand `step` apart read a row together; this one begins at `begin`. Several elements at a time: their
// loads do not wait for each other, and the sum is scaled once for all of them. Past the row's end stands what adds 0.
__device__ Seen see(const float* row, int cols, int begin, int step) {
  constexpr int batch = 4;
  Seen seen = nothing();
  for (int c = begin; c < cols; c += batch * step) {
    float x[batch];
    for (int i = 0; i < batch; ++i) x[i] = i * step < cols - c ? row[c + i * step] : -INFINITY;
    float largest = seen.largest;
    for (int i = 0; i < batch; ++i) largest = fmaxf(largest, x[i]);
    float sum = seen.sum * expf(seen.largest - largest);
    for (int i = 0; i < batch; ++i) sum += expf(x[i] - largest);
    seen = {largest, sum};
  }
  return seen;
}

__device__ void write(const float* row, float* out, int cols, int begin, int step, const Seen& seen) {
  const float factor = 1 / seen.sum;
  for (int c = begin; c < cols; c += step) out[c] = expf(row[c] - seen.largest) * factor;
}

__global__ void softmax_online_kernel(const float* x, float* y, int cols) {
  __shared__ Seen room[block_size];
  const size_t begin = static_cast<size_t>(blockIdx.x) * cols;
  const int t = static_cast<int>(threadIdx.x);
  const Seen all = combine_block(see(x + begin, cols, t, block_size), room, Join());
  write(x + begin, y + begin, cols, t, block_size, all);
}

void softmax_online(const float* x, float* y, int rows, int cols) {
  if (rows == 0) return;
  softmax_online_kernel<<<rows, block_size>>>(x, y, cols);
  CHECK(cudaGetLastError());
}

__global__ void softmax_warp_kernel(const float* x, float* y, int rows, int cols) {
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const int r = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / warp_size);
  if (r >= rows) return;  // the whole warp leaves
  const size_t begin = static_cast<size_t>(r) * cols;
  Seen seen = see(x + begin, cols, lane, warp_size);
  for (int mask = warp_size / 2; mask > 0; mask /= 2)
    seen = seen +
           Seen{__shfl_xor_sync(all_lanes, seen.largest, mask), __shfl_xor_sync(all_lanes, seen.sum, mask)};
  write(x + begin, y + begin, cols, lane, warp_size, seen);
}

void softmax_warp(const float* x, float* y, int rows, int cols) {
  if (rows == 0) return;
  constexpr int warps = block_size / warp_size;
  softmax_warp_kernel<<<(rows - 1) / warps + 1, block_size>>>(x, y, rows, cols);
  CHECK(cudaGetLastError());
}
