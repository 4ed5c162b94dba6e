// lab5 variant2, the reference solution: the sum of floats, five times, each a step faster than the one before.
#include "contract.cuh"

#include <algorithm>
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

constexpr int threads = 256;  // of a block; a power of two, or the trees below lose elements

// Sets the result to 0, where the blocks' sums then meet, and launches a block for every `per_block` elements, but not
// more than `most_blocks`. An empty grid would be an error, and an empty sum needs none.
template <class Kernel>
static void launch(Kernel kernel, int per_block, int most_blocks, const float* x, float* out, int n) {
  CHECK(cudaMemsetAsync(out, 0, sizeof *out));
  if (n == 0) return;
  const int blocks = std::min((n - 1) / per_block + 1, most_blocks);
  kernel<<<static_cast<unsigned>(blocks), threads>>>(x, out, n);
  CHECK(cudaGetLastError());
}

constexpr int any_number = 1 << 30;

// A tree of neighbours: pairs first, then every second, every fourth ... The threads that work lie far apart, so
// every warp goes through every round for a few of its lanes.
__global__ void sum_interleaved_kernel(const float* x, float* out, int n) {
  __shared__ float partial[threads];
  const int t = static_cast<int>(threadIdx.x);
  const long long i = static_cast<long long>(blockIdx.x) * threads + t;
  partial[t] = i < n ? x[i] : 0;
  for (int step = 1; step < threads; step *= 2) {
    __syncthreads();  // what the last round wrote is there
    if (t % (2 * step) == 0) partial[t] += partial[t + step];
  }
  if (t == 0) atomicAdd(out, partial[0]);
}

void sum_interleaved(const float* x, float* out, int n) {
  launch(sum_interleaved_kernel, threads, any_number, x, out, n);
}

// The tree the other way round: the first half of the block adds the second, then the first quarter ... The threads
// that work are neighbours, so whole warps retire, and neighbours access neighbouring banks. Afterwards partial[0] is
// the sum, for thread 0 to use.
__device__ void add_in_tree(float* partial, int t) {
  for (int step = threads / 2; step > 0; step /= 2) {
    __syncthreads();  // what the last round wrote is there
    if (t < step) partial[t] += partial[t + step];
  }
}

__global__ void sum_sequential_kernel(const float* x, float* out, int n) {
  __shared__ float partial[threads];
  const int t = static_cast<int>(threadIdx.x);
  const long long i = static_cast<long long>(blockIdx.x) * threads + t;
  partial[t] = i < n ? x[i] : 0;
  add_in_tree(partial, t);
  if (t == 0) atomicAdd(out, partial[0]);
}

void sum_sequential(const float* x, float* out, int n) {
  launch(sum_sequential_kernel, threads, any_number, x, out, n);
}

// In the first round of the tree above half of the threads do nothing: here each thread adds two elements while it
// loads them, and half as many blocks do. And once a single warp is left it need not wait for the others: it goes on
// with __syncwarp(), which costs far less. (Old programs leave that out too. Lanes of a warp do not run in lockstep on
// today's cards: that is a race.)
__global__ void sum_unrolled_kernel(const float* x, float* out, int n) {
  __shared__ float partial[threads];
  const int t = static_cast<int>(threadIdx.x);
  const long long i = static_cast<long long>(blockIdx.x) * (2 * threads) + t;
  float sum = i < n ? x[i] : 0;
  if (i + threads < n) sum += x[i + threads];
  partial[t] = sum;
  for (int step = threads / 2; step > 32; step /= 2) {
    __syncthreads();
    if (t < step) partial[t] += partial[t + step];
  }
  __syncthreads();
  if (t >= 32) return;  // there is no __syncthreads() after this
  sum = partial[t] + partial[t + 32];
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    __syncwarp();  // nobody reads the old values any more
    partial[t] = sum;
    __syncwarp();  // the new ones are there
    sum += partial[t + step];  // lanes from `step` on add what nobody needs
  }
  if (t == 0) atomicAdd(out, sum);
}

void sum_unrolled(const float* x, float* out, int n) {
  launch(sum_unrolled_kernel, 2 * threads, any_number, x, out, n);
}

// The blocks that run at the same time anyway (four on each of an A100's 108 multiprocessors), each of them longer: a
// thread adds up every element at the distance of the whole grid in a register, and the tree is climbed once.
constexpr int grid_blocks = 4 * 108;

__device__ float own_sum(const float* x, int n) {
  const long long step = static_cast<long long>(gridDim.x) * threads;
  float sum = 0;
  for (long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x; i < n; i += step) sum += x[i];
  return sum;
}

__global__ void sum_grid_stride_kernel(const float* x, float* out, int n) {
  __shared__ float partial[threads];
  const int t = static_cast<int>(threadIdx.x);
  partial[t] = own_sum(x, n);
  add_in_tree(partial, t);
  if (t == 0) atomicAdd(out, partial[0]);
}

void sum_grid_stride(const float* x, float* out, int n) {
  launch(sum_grid_stride_kernel, threads, grid_blocks, x, out, n);
}

// Lane l adds the register of lane l + distance: no memory, no barrier. Lane 0 ends up with the warp's sum.
__device__ float warp_sum(float value) {
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

// Shared memory only carries one number from each warp to the first one.
__global__ void sum_shuffle_kernel(const float* x, float* out, int n) {
  constexpr int warps = threads / 32;
  __shared__ float partial[warps];
  const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  float sum = warp_sum(own_sum(x, n));
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp != 0) return;
  sum = warp_sum(lane < warps ? partial[lane] : 0);
  if (lane == 0) atomicAdd(out, sum);
}

void sum_shuffle(const float* x, float* out, int n) {
  launch(sum_shuffle_kernel, threads, grid_blocks, x, out, n);
}
