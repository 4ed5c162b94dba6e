#pragma once
// What the reference solutions of lab5 share: the sum of numbers, five times, each a step faster than the one before.
// The numbers have the type Element and are added up in Sum: int and long long, float twice, or double twice. The
// grader shows this file to the compiler for these references alone; with plain nvcc it is
// nvcc -c -arch=sm_80 -I reference/lab5 -I labs/lab5/variant2 reference/lab5/variant2/sum.cu
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

// Adds a block's sum to the result. CUDA has no atomicAdd for long long; added as unsigned numbers, the bits are
// the same.
template <class Sum>
__device__ void add_to(Sum* out, Sum value) {
  atomicAdd(out, value);
}
__device__ inline void add_to(long long* out, long long value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(out), static_cast<unsigned long long>(value));
}

// Sets the result to 0, where the blocks' sums then meet, and launches a block for every `per_block` elements, but not
// more than `most_blocks`. An empty grid would be an error, and an empty sum needs none.
template <class Kernel, class Element, class Sum>
void launch(Kernel kernel, int per_block, int most_blocks, const Element* x, Sum* out, int n) {
  CHECK(cudaMemsetAsync(out, 0, sizeof *out));
  if (n == 0) return;
  const int blocks = std::min((n - 1) / per_block + 1, most_blocks);
  kernel<<<static_cast<unsigned>(blocks), threads>>>(x, out, n);
  CHECK(cudaGetLastError());
}

constexpr int any_number = 1 << 30;

// A tree of neighbours: pairs first, then every second, every fourth ... The threads that work lie far apart, so
// every warp goes through every round for a few of its lanes. With blockDim.x, as in textbooks, nothing is known of the
// rounds beforehand, so that the remainder stays in each of them: the slow tree that the later versions improve on.
template <class Element, class Sum>
__global__ void sum_interleaved_kernel(const Element* x, Sum* out, int n) {
  __shared__ Sum partial[threads];
  const int t = static_cast<int>(threadIdx.x);
  const long long i = static_cast<long long>(blockIdx.x) * threads + t;
  partial[t] = i < n ? x[i] : 0;
  for (int step = 1; step < static_cast<int>(blockDim.x); step *= 2) {
    __syncthreads();  // what the last round wrote is there
    if (t % (2 * step) == 0) partial[t] += partial[t + step];
  }
  if (t == 0) add_to(out, partial[0]);
}

template <class Element, class Sum>
void interleaved(const Element* x, Sum* out, int n) {
  launch(sum_interleaved_kernel<Element, Sum>, threads, any_number, x, out, n);
}

// The tree the other way round: the first half of the block adds the second, then the first quarter ... The threads
// that work are neighbours, so whole warps retire, and neighbours access neighbouring banks. Afterwards partial[0] is
// the sum, for thread 0 to use.
template <class Sum>
__device__ void add_in_tree(Sum* partial, int t) {
  for (int step = threads / 2; step > 0; step /= 2) {
    __syncthreads();  // what the last round wrote is there
    if (t < step) partial[t] += partial[t + step];
  }
}

template <class Element, class Sum>
__global__ void sum_sequential_kernel(const Element* x, Sum* out, int n) {
  __shared__ Sum partial[threads];
  const int t = static_cast<int>(threadIdx.x);
  const long long i = static_cast<long long>(blockIdx.x) * threads + t;
  partial[t] = i < n ? x[i] : 0;
  add_in_tree(partial, t);
  if (t == 0) add_to(out, partial[0]);
}

template <class Element, class Sum>
void sequential(const Element* x, Sum* out, int n) {
  launch(sum_sequential_kernel<Element, Sum>, threads, any_number, x, out, n);
}

// In the first round of the tree above half of the threads do nothing: here each thread adds two elements while it
// loads them, and half as many blocks do. And once a single warp is left it need not wait for the others: it goes on
// with __syncwarp(), which costs far less. (Old programs leave that out too. Lanes of a warp do not run in lockstep on
// today's cards: that is a race.)
template <class Element, class Sum>
__global__ void sum_unrolled_kernel(const Element* x, Sum* out, int n) {
  __shared__ Sum partial[threads];
  const int t = static_cast<int>(threadIdx.x);
  const long long i = static_cast<long long>(blockIdx.x) * (2 * threads) + t;
  Sum sum = i < n ? x[i] : 0;
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
  if (t == 0) add_to(out, sum);
}

template <class Element, class Sum>
void unrolled(const Element* x, Sum* out, int n) {
  launch(sum_unrolled_kernel<Element, Sum>, 2 * threads, any_number, x, out, n);
}

// The blocks that run at the same time anyway (four on each of an A100's 108 multiprocessors), each of them longer: a
// thread adds up every element at the distance of the whole grid in a register, and the tree is climbed once.
constexpr int grid_blocks = 4 * 108;

template <class Sum, class Element>
__device__ Sum own_sum(const Element* x, int n) {
  const long long step = static_cast<long long>(gridDim.x) * threads;
  Sum sum = 0;
  for (long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x; i < n; i += step) sum += x[i];
  return sum;
}

template <class Element, class Sum>
__global__ void sum_grid_stride_kernel(const Element* x, Sum* out, int n) {
  __shared__ Sum partial[threads];
  const int t = static_cast<int>(threadIdx.x);
  partial[t] = own_sum<Sum>(x, n);
  add_in_tree(partial, t);
  if (t == 0) add_to(out, partial[0]);
}

template <class Element, class Sum>
void grid_stride(const Element* x, Sum* out, int n) {
  launch(sum_grid_stride_kernel<Element, Sum>, threads, grid_blocks, x, out, n);
}

// Lane l adds the register of lane l + distance: no memory, no barrier. Lane 0 ends up with the warp's sum.
template <class Sum>
__device__ Sum warp_sum(Sum value) {
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

// Shared memory only carries one number from each warp to the first one.
template <class Element, class Sum>
__global__ void sum_shuffle_kernel(const Element* x, Sum* out, int n) {
  constexpr int warps = threads / 32;
  __shared__ Sum partial[warps];
  const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  Sum sum = warp_sum(own_sum<Sum>(x, n));
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp != 0) return;
  sum = warp_sum(lane < warps ? partial[lane] : 0);
  if (lane == 0) add_to(out, sum);
}

template <class Element, class Sum>
void shuffle(const Element* x, Sum* out, int n) {
  launch(sum_shuffle_kernel<Element, Sum>, threads, grid_blocks, x, out, n);
}
