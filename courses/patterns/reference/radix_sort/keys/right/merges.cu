// radix_sort keys: no radix sort at all. A bitonic network in global memory; and sorted stretches that are merged in
// pairs, where each key finds its place by a search in the other stretch.
#include "contract.cuh"

#include <utility>

constexpr int block_size = 256;

static int blocks_for(int n) { return (n - 1) / block_size + 1; }

// Partners whose distance is a power of two compare. The first step of a stage mirrors, so that every step sorts
// upwards, and places past the end never take part.
__global__ void compare_kernel(unsigned* keys, int n, int distance, bool mirrored) {
  const int i = static_cast<int>(blockIdx.x) * block_size + static_cast<int>(threadIdx.x);
  const int other = mirrored ? i ^ (2 * distance - 1) : i ^ distance;
  if (i >= n || other >= n || other < i) return;
  const unsigned a = keys[i], b = keys[other];
  if (a <= b) return;
  keys[i] = b;
  keys[other] = a;
}

void radix_sort_bits(unsigned* keys, int n) {
  for (int stage = 1; stage < n; stage *= 2)
    for (int distance = stage; distance > 0; distance /= 2)
      compare_kernel<<<blocks_for(n), block_size>>>(keys, n, distance, distance == stage);
}

// A block sorts its keys by counting, for each, those that belong before it.
__global__ void stretch_kernel(const unsigned* keys, unsigned* out, int n) {
  __shared__ unsigned tile[block_size];
  const int t = static_cast<int>(threadIdx.x), begin = static_cast<int>(blockIdx.x) * block_size;
  const int count = min(block_size, n - begin);
  if (t < count) tile[t] = keys[begin + t];
  __syncthreads();
  if (t >= count) return;
  int before = 0;
  for (int k = 0; k < count; ++k) before += tile[k] < tile[t] || (tile[k] == tile[t] && k < t) ? 1 : 0;
  out[begin + before] = tile[t];
}

__global__ void merge_kernel(const unsigned* keys, unsigned* out, int n, int size) {
  const int i = static_cast<int>(blockIdx.x) * block_size + static_cast<int>(threadIdx.x);
  if (i >= n) return;
  const unsigned key = keys[i];
  const int mine = i / size, pair = mine / 2 * 2 * size, begin = min(n, (mine ^ 1) * size),
            end = min(n, begin + size);
  int low = begin, high = end;  // the first key of the other stretch that belongs behind this one
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (keys[middle] < key || (keys[middle] == key && mine % 2 != 0))
      low = middle + 1;
    else
      high = middle;
  }
  out[pair + (i - mine * size) + (low - begin)] = key;
}

void radix_sort_digits(unsigned* keys, int n) {
  if (n == 0) return;
  unsigned* other = nullptr;
  cudaMalloc(&other, static_cast<size_t>(n) * sizeof *other);
  stretch_kernel<<<blocks_for(n), block_size>>>(keys, other, n);
  unsigned *from = other, *to = keys;
  for (int size = block_size; size < n; size *= 2) {
    merge_kernel<<<blocks_for(n), block_size>>>(from, to, n, size);
    std::swap(from, to);
  }
  if (from != keys) cudaMemcpy(keys, from, static_cast<size_t>(n) * sizeof *keys, cudaMemcpyDeviceToDevice);
  cudaFree(other);
}
