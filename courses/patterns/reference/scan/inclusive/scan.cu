// scan inclusive, the reference solution: the sums of all beginnings of an array, three times.
#include "contract.cuh"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

// A launch returns no error: without this check nobody sees a wrong configuration.
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

constexpr int threads = 256;  // of a block
constexpr int lanes = 32;
constexpr unsigned all_lanes = 0xffffffff;

// ---------------------------------------------------------------------------------------------------------------
// Three ways to scan a section of the array in one block. Each stores the section's sum in sums[blockIdx.x].

// Kogge and Stone: after the round of distance d an element holds the sum of the 2 * d elements up to it.
__global__ void kogge_stone_kernel(const int* x, int* y, int* sums, int n) {
  __shared__ int part[threads];
  const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * threads + t;
  part[t] = i < n ? x[i] : 0;
  for (int d = 1; d < threads; d *= 2) {
    __syncthreads();  // the round before has stored its sums
    const int other = t >= d ? part[t - d] : 0;
    __syncthreads();  // this round has read them
    part[t] += other;
  }
  if (i < n) y[i] = part[t];
  if (t == threads - 1) sums[blockIdx.x] = part[t];
}

// Brent and Kung: fewer additions, in twice as many rounds. One unused element behind each 32 spreads elements
// that lie a power of two apart over the banks.
__device__ int place(int k) { return k + k / lanes; }

__global__ void brent_kung_kernel(const int* x, int* y, int* sums, int n) {
  constexpr int section = 2 * threads;  // a thread has two elements
  __shared__ int part[section + section / lanes];
  const int t = static_cast<int>(threadIdx.x), begin = static_cast<int>(blockIdx.x) * section;
  for (int k = t; k < section; k += threads) part[place(k)] = begin + k < n ? x[begin + k] : 0;

  // Up: the last element of each group of 2 * d gets the sum of the group.
  for (int d = 1; d < section; d *= 2) {
    __syncthreads();
    const int last = (t + 1) * 2 * d - 1;
    if (last < section) part[place(last)] += part[place(last - d)];
  }
  // Down: the middle of each group gets the sum up to it. The group before ends with the sum of all before.
  for (int d = section / 4; d > 0; d /= 2) {
    __syncthreads();
    const int middle = (t + 1) * 2 * d - 1 + d;
    if (middle < section) part[place(middle)] += part[place(middle - d)];
  }
  __syncthreads();

  for (int k = t; k < section && begin + k < n; k += threads) y[begin + k] = part[place(k)];
  if (t == 0) sums[blockIdx.x] = part[place(section - 1)];
}

// Kogge and Stone within a warp, without shared memory and barriers.
__device__ int scan_warp(int value, int lane) {
  for (int d = 1; d < lanes; d *= 2) {
    const int other = __shfl_up_sync(all_lanes, value, d);
    if (lane >= d) value += other;
  }
  return value;
}

__global__ void shuffle_kernel(const int* x, int* y, int* sums, int n) {
  constexpr int warps = threads / lanes;
  __shared__ int warp_sums[warps];
  const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * threads + t;
  const int lane = t % lanes, warp = t / lanes;
  int value = scan_warp(i < n ? x[i] : 0, lane);
  if (lane == lanes - 1) warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const int scanned = scan_warp(lane < warps ? warp_sums[lane] : 0, lane);
    if (lane < warps) warp_sums[lane] = scanned;
  }
  __syncthreads();
  if (warp > 0) value += warp_sums[warp - 1];
  if (i < n) y[i] = value;
  if (t == threads - 1) sums[blockIdx.x] = value;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole array.

// Adds to each section the sum of all before it. The first section has none.
__global__ void add_kernel(int* y, const int* sums, int n, int section) {
  const int i = section + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] += sums[i / section - 1];
}

static int blocks_for(int count, int block) { return (count - 1) / block + 1; }

using Kernel = void (*)(const int* x, int* y, int* sums, int n);

// Scans the sections, then their sums in the same way, and adds those. y may be x: each block has read its section
// before it stores it.
static void scan_array(Kernel kernel, int section, const int* x, int* y, int n) {
  if (n == 0) return;  // a grid must not be empty
  const int blocks = blocks_for(n, section);
  int* sums = nullptr;
  CHECK(cudaMalloc(&sums, static_cast<size_t>(blocks) * sizeof *sums));
  kernel<<<blocks, threads>>>(x, y, sums, n);
  CHECK(cudaGetLastError());
  if (blocks > 1) {
    scan_array(kernel, section, sums, sums, blocks);
    add_kernel<<<blocks_for(n - section, threads), threads>>>(y, sums, n, section);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaFree(sums));
}

void scan_kogge_stone(const int* x, int* y, int n) { scan_array(kogge_stone_kernel, threads, x, y, n); }

void scan_brent_kung(const int* x, int* y, int n) { scan_array(brent_kung_kernel, 2 * threads, x, y, n); }

void scan_shuffle(const int* x, int* y, int n) { scan_array(shuffle_kernel, threads, x, y, n); }
