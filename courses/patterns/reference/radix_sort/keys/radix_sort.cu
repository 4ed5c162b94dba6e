// radix_sort keys, the reference solution: radix sort by one bit and by four bits a pass.
#include "contract.cuh"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>

// A launch reports nothing by itself: ask, or a wrong configuration goes unseen.
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

constexpr int block_size = 256;  // also the number of keys of a block
constexpr int key_bits = 32;
constexpr int digit_bits = 4;
constexpr int digits = 1 << digit_bits;

static int blocks_for(int count) { return (count - 1) / block_size + 1; }

template <class T>
static T* allocate(int count) {
  T* memory = nullptr;
  CHECK(cudaMalloc(&memory, static_cast<size_t>(count) * sizeof(T)));
  return memory;
}

// The sum of the values of this thread and all before it. `room` is free again afterwards.
__device__ int scan_block(int mine, int* room) {
  const int t = static_cast<int>(threadIdx.x);
  room[t] = mine;
  __syncthreads();
  for (int distance = 1; distance < block_size; distance *= 2) {
    if (t >= distance) mine += room[t - distance];
    __syncthreads();  // all have read
    room[t] = mine;
    __syncthreads();  // all have written
  }
  return mine;
}

// One block replaces counts[0] to counts[n - 1] by the sums of those before each, and counts[n] by the sum of all.
__global__ void scan_kernel(int* counts, int n) {
  __shared__ int room[block_size];
  const int t = static_cast<int>(threadIdx.x);
  int before = 0;  // this stretch
  for (int begin = 0; begin < n; begin += block_size) {
    const int mine = begin + t < n ? counts[begin + t] : 0;
    const int sum = scan_block(mine, room);
    if (begin + t < n) counts[begin + t] = before + sum - mine;
    before += room[block_size - 1];
    __syncthreads();  // nobody reads the last sum any more
  }
  if (t == 0) counts[n] = before;
}

// The number of ones among the block's keys.
__global__ void ones_kernel(const unsigned* keys, int* ones, int shift, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int count = __syncthreads_count(i < n ? keys[i] >> shift & 1 : 0);
  if (threadIdx.x == 0) ones[blockIdx.x] = count;
}

// ones_before[b] is the number of ones before block b. A key with a 1 stands behind all zeros and the ones before it; a
// key with a 0 moves up by as many places as there are ones before it.
__global__ void split_kernel(const unsigned* keys, unsigned* out, const int* ones_before, int shift, int n) {
  __shared__ int room[block_size];
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned key = i < n ? keys[i] : 0;
  const int one = static_cast<int>(key >> shift & 1);
  const int before = ones_before[blockIdx.x] + scan_block(one, room) - one;
  const int zeros = n - ones_before[gridDim.x];
  if (i < n) out[one != 0 ? zeros + before : i - before] = key;
}

void radix_sort_bits(unsigned* keys, int n) {
  if (n == 0) return;  // a grid must not be empty
  const int blocks = blocks_for(n);
  unsigned* const other = allocate<unsigned>(n);
  int* const ones = allocate<int>(blocks + 1);
  unsigned *from = keys, *to = other;
  for (int shift = 0; shift < key_bits; ++shift) {  // an even number of passes: they end in `keys`
    ones_kernel<<<blocks, block_size>>>(from, ones, shift, n);
    scan_kernel<<<1, block_size>>>(ones, blocks);
    split_kernel<<<blocks, block_size>>>(from, to, ones, shift, n);
    std::swap(from, to);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaFree(other));
  CHECK(cudaFree(ones));
}

__device__ int digit_of(unsigned key, int shift) { return static_cast<int>(key >> shift) & (digits - 1); }

// How many of the block's keys have each digit. The histograms lie digit by digit: their scan then says where the keys
// of each block and digit begin.
__global__ void histogram_kernel(const unsigned* keys, int* histograms, int shift, int n) {
  __shared__ int counts[digits];
  const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * block_size + t;
  if (t < digits) counts[t] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&counts[digit_of(keys[i], shift)], 1);
  __syncthreads();
  if (t < digits) histograms[t * gridDim.x + blockIdx.x] = counts[t];
}

// The block sorts its keys by the digit in shared memory, bit by bit. Then those of one digit are neighbours, and go to
// neighbouring places. Past the last key stand the largest ones, which stay behind all others.
__global__ void move_kernel(const unsigned* keys, unsigned* out, const int* begins, int shift, int n) {
  __shared__ unsigned tile[block_size];
  __shared__ int room[block_size], first[digits];
  const int t = static_cast<int>(threadIdx.x), begin = static_cast<int>(blockIdx.x) * block_size;
  unsigned key = begin + t < n ? keys[begin + t] : ~0u;
  for (int bit = shift; bit < shift + digit_bits; ++bit) {
    const int one = static_cast<int>(key >> bit & 1);
    const int before = scan_block(one, room) - one;
    const int zeros = block_size - room[block_size - 1];
    tile[one != 0 ? zeros + before : t - before] = key;
    __syncthreads();  // the tile is complete; nobody writes it again before all have reached the next scan
    key = tile[t];
  }
  const int digit = digit_of(key, shift);
  if (t == 0 || digit_of(tile[t - 1], shift) != digit) first[digit] = t;
  __syncthreads();
  if (begin + t < n) out[begins[digit * gridDim.x + blockIdx.x] + t - first[digit]] = key;
}

void radix_sort_digits(unsigned* keys, int n) {
  if (n == 0) return;
  const int blocks = blocks_for(n);
  unsigned* const other = allocate<unsigned>(n);
  int* const histograms = allocate<int>(digits * blocks + 1);
  unsigned *from = keys, *to = other;
  for (int shift = 0; shift < key_bits; shift += digit_bits) {
    histogram_kernel<<<blocks, block_size>>>(from, histograms, shift, n);
    scan_kernel<<<1, block_size>>>(histograms, digits * blocks);
    move_kernel<<<blocks, block_size>>>(from, to, histograms, shift, n);
    std::swap(from, to);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaFree(other));
  CHECK(cudaFree(histograms));
}
