// Sums, extremes and the like, in the styles in which courses teach them.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "silent.cuh"

namespace cg = cooperative_groups;

static const std::vector<int> kInput = numbers(1000, 100);
static int sum_of(const std::vector<int>& values) {
  int sum = 0;
  for (int value : values) sum += value;
  return sum;
}
static bool adds_up(const Array<int>& partial) { return sum_of(partial.host()) == sum_of(kInput); }

namespace interleaved {
__global__ void sum(const int* in, int* out, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    if (t % (2 * step) == 0) s[t] += s[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
PROGRAM(interleaved) {
  Array<int> in(kInput), out(8);
  sum<<<8, 128>>>(in, out, 1000);
  return adds_up(out);
}
}  // namespace interleaved

namespace strided_index {
__global__ void sum(const int* in, int* out, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    const int at = 2 * step * t;
    if (at < blockDim.x) s[at] += s[at + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
PROGRAM(strided_index) {
  Array<int> in(kInput), out(8);
  sum<<<8, 128>>>(in, out, 1000);
  return adds_up(out);
}
}  // namespace strided_index

/// A barrier for the last warp's steps is not needed between its lanes' own __syncwarp().
namespace last_warp {
__global__ void sum(const int* in, int* out, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = (i < n ? in[i] : 0) + (i + 128 < n ? in[i + 128] : 0);
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    int v = s[t] + s[t + 32];
    for (int step = 16; step > 0; step /= 2) {
      __syncwarp();
      s[t] = v;
      __syncwarp();
      v += s[t ^ step];
    }
    if (t == 0) out[blockIdx.x] = v;
  }
}
PROGRAM(last_warp) {
  Array<int> in(kInput), out(4);
  sum<<<4, 128>>>(in, out, 1000);
  return adds_up(out);
}
}  // namespace last_warp

/// In shared memory all along, as before shuffles: read, meet, write, meet.
namespace last_warp_volatile {
__device__ void fold(volatile int* s, int t) {
#pragma unroll
  for (int step = 32; step > 0; step /= 2) {
    const int v = s[t + step];
    __syncwarp();
    s[t] += v;
    __syncwarp();
  }
}
__global__ void sum(const int* in, int* out, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) mine += in[i];
  s[t] = mine;
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) fold(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}
PROGRAM(last_warp_volatile) {
  Array<int> in(kInput), out(3);
  sum<<<3, 128>>>(in, out, 1000);
  return adds_up(out);
}
}  // namespace last_warp_volatile

namespace unrolled_template {
template <int Threads>
__global__ void sum(const int* in, int* out, int n) {
  __shared__ int s[Threads];
  const int t = threadIdx.x, i = blockIdx.x * Threads + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
#pragma unroll
  for (int half = Threads / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    if (half > 32)
      __syncthreads();
    else
      __syncwarp();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
PROGRAM(unrolled_template) {
  Array<int> in(kInput), out(4), more(16);
  sum<256><<<4, 256>>>(in, out, 1000);
  sum<64><<<16, 64>>>(in, more, 1000);
  return adds_up(out) && adds_up(more);
}
}  // namespace unrolled_template

/// A block whose size is no power of two.
namespace any_block_size {
__global__ void sum(const int* in, int* out, int n) {
  extern __shared__ int s[];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  for (int size = blockDim.x; size > 1;) {
    const int half = (size + 1) / 2;
    __syncthreads();
    if (t < size / 2) s[t] += s[t + half];
    size = half;
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
PROGRAM(any_block_size) {
  Array<int> in(kInput), out(11);
  sum<<<11, 91, 91 * sizeof(int)>>>(in, out, 1000);
  return adds_up(out);
}
}  // namespace any_block_size

namespace by_shuffles {
__device__ int warp_sum(int v) {
  for (int step = 16; step > 0; step /= 2) v += __shfl_down_sync(0xffffffff, v, step);
  return v;
}
__global__ void sum(const int* in, int* total, int n) {
  __shared__ int partial[32];  // only as many are written, and read, as there are warps
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = warp_sum(i < n ? in[i] : 0);
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  if (warp != 0) return;
  v = warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0);
  if (lane == 0) atomicAdd(total, v);
}
PROGRAM(by_shuffles) {
  Array<int> in(kInput), total(1);
  sum<<<7, 160>>>(in, total.zero(), 1000);
  return adds_up(total);
}
}  // namespace by_shuffles

namespace last_block {
__device__ unsigned done = 0;
__global__ void sum(const int* in, volatile int* partial, int* out, int n) {
  __shared__ int s[64];
  __shared__ bool last;
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;  // which sets it back to 0
  }
  __syncthreads();
  if (!last) return;
  if (t < gridDim.x) s[t] = partial[t];
  __syncthreads();
  if (t == 0) {
    int all = 0;
    for (int b = 0; b < gridDim.x; ++b) all += s[b];
    *out = all;
  }
}
PROGRAM(last_block) {
  Array<int> in(kInput), partial(16), out(1);
  bool right = true;
  for (int round = 0; round < 2; ++round) {
    sum<<<16, 64>>>(in, partial, out, 1000);
    right = right && adds_up(out);
  }
  return right;
}
}  // namespace last_block

/// The same kernel on its own results until one is left: what lies behind them in the buffer is older.
namespace pass_after_pass {
__global__ void sum(const int* in, int* out, int n) {
  __shared__ int s[32];
  const int t = threadIdx.x, i = blockIdx.x * 32 + t;
  s[t] = i < n ? in[i] : 0;
  for (int half = 16; half > 0; half /= 2) {
    __syncwarp();
    if (t < half) s[t] += s[t + half];
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
PROGRAM(pass_after_pass) {
  Array<int> in(kInput), a(32), b(32);
  int *from = a, *to = b, n = blocks_for(1000, 32);
  sum<<<n, 32>>>(in, from, 1000);
  for (; n > 1; n = blocks_for(n, 32), std::swap(from, to)) sum<<<blocks_for(n, 32), 32>>>(from, to, n);
  int total = 0;
  CUDA(cudaMemcpy(&total, from, sizeof total, cudaMemcpyDeviceToHost));
  return total == sum_of(kInput);
}
}  // namespace pass_after_pass

namespace of_groups {
__global__ void sum(const int* in, int* out, int n) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int i = cg::this_grid().thread_rank();
  const int v = cg::reduce(tile, i < n ? in[i] : 0, cg::plus<int>());
  if (tile.thread_rank() == 0) out[i / 16] = v;
}
PROGRAM(of_groups) {
  Array<int> in(kInput), out(64);
  sum<<<8, 128>>>(in, out, 1000);
  return adds_up(out);
}
}  // namespace of_groups

namespace one_instruction {
__global__ void extremes(const int* in, int* most, unsigned* least, unsigned* bits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // whole warps and the first lanes of the last one
  const unsigned mask = __ballot_sync(__activemask(), true);
  const int v = in[i];
  const int m = __reduce_max_sync(mask, v);
  const unsigned l = __reduce_min_sync(mask, static_cast<unsigned>(v)), b = __reduce_or_sync(mask, 1u << v % 32);
  if (threadIdx.x % 32 != 0) return;
  atomicMax(most, m);
  atomicMin(least, l);
  atomicOr(bits, b);
}
PROGRAM(one_instruction) {
  Array<int> in(kInput), most(1);
  Array<unsigned> least(std::vector<unsigned>{~0u}), bits(1);
  extremes<<<8, 128>>>(in, most.zero(), least, bits.zero(), 1000);
  int wanted_most = 0;
  unsigned wanted_least = ~0u, wanted_bits = 0;
  for (int v : kInput) {
    wanted_most = std::max(wanted_most, v);
    wanted_least = std::min(wanted_least, unsigned(v));
    wanted_bits |= 1u << v % 32;
  }
  return most.host()[0] == wanted_most && least.host()[0] == wanted_least && bits.host()[0] == wanted_bits;
}
}  // namespace one_instruction

/// Value and place in one word, so that one atomic operation carries both.
namespace place_of_largest {
__global__ void find(const int* in, unsigned long long* best, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long mine = i < n ? static_cast<unsigned long long>(in[i]) << 32 | (0xffffffffu - i) : 0;
  for (int step = 16; step > 0; step /= 2) mine = max(mine, __shfl_xor_sync(0xffffffff, mine, step));
  if (threadIdx.x % 32 == 0) atomicMax(best, mine);
}
PROGRAM(place_of_largest) {
  Array<int> in(kInput);
  Array<unsigned long long> best(1);
  find<<<4, 256>>>(in, best.zero(), 1000);
  const int at = 0xffffffffu - unsigned(best.host()[0]);
  return at == std::max_element(kInput.begin(), kInput.end()) - kInput.begin();
}
}  // namespace place_of_largest

namespace row_by_warp {
__global__ void sums(const float* m, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // a warp leaves as a whole
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += 32) sum += m[row * columns + c];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x == 0) out[row] = sum;
}
PROGRAM(row_by_warp) {
  const auto m = numbers<float>(13 * 70, 50);
  std::vector<float> wanted(13);
  for (int i = 0; i < 13 * 70; ++i) wanted[i / 70] += m[i];
  Array<float> in(m), out(13);
  sums<<<4, dim3(32, 4)>>>(in, out, 13, 70);
  return out.host() == wanted;
}
}  // namespace row_by_warp

namespace columns_in_strips {
__global__ void sums(const float* m, float* out, int rows, int columns) {
  __shared__ float part[8][33];
  const int c = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  if (c < columns)
    for (int r = threadIdx.y; r < rows; r += 8) sum += m[r * columns + c];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0 || c >= columns) return;
  for (int y = 1; y < 8; ++y) sum += part[y][threadIdx.x];
  out[c] = sum;
}
PROGRAM(columns_in_strips) {
  const auto m = numbers<float>(30 * 70, 50);
  std::vector<float> wanted(70);
  for (int i = 0; i < 30 * 70; ++i) wanted[i % 70] += m[i];
  Array<float> in(m), out(70);
  sums<<<3, dim3(32, 8)>>>(in, out, 30, 70);
  return out.host() == wanted;
}
}  // namespace columns_in_strips

/// Mean and variance at once, pairs of which are merged.
namespace moments {
struct Moments {
  float count, mean, squares;
};
__device__ Moments merge(Moments a, Moments b) {
  const float count = a.count + b.count, apart = b.mean - a.mean;
  if (count == 0) return a;
  return {count, a.mean + apart * b.count / count, a.squares + b.squares + apart * apart * a.count * b.count / count};
}
__global__ void of(const int* in, Moments* out, int n) {
  __shared__ Moments s[256];
  Moments mine{0, 0, 0};
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine = merge(mine, {1, static_cast<float>(in[i]), 0});
  s[threadIdx.x] = mine;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) s[threadIdx.x] = merge(s[threadIdx.x], s[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) *out = s[0];
}
PROGRAM(moments) {
  Array<int> in(kInput);
  Array<Moments> out(1);
  of<<<1, 256>>>(in, out, 1000);
  double mean = 0, squares = 0;
  for (int v : kInput) mean += v / 1000.0;
  for (int v : kInput) squares += (v - mean) * (v - mean);
  const Moments got = out.host()[0];
  return got.count == 1000 && near<float>({got.mean, got.squares}, {float(mean), float(squares)}, 1e-4);
}
}  // namespace moments

/// The block's own votes in place of memory.
namespace barrier_votes {
__global__ void look(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = i < n ? in[i] : 0;
  const int large = __syncthreads_count(v > 90);
  const int any = __syncthreads_or(v == 99), all = __syncthreads_and(v < 95);
  if (threadIdx.x == 0) {
    out[3 * blockIdx.x] = large;
    out[3 * blockIdx.x + 1] = any != 0;
    out[3 * blockIdx.x + 2] = all != 0;
  }
}
PROGRAM(barrier_votes) {
  Array<int> in(kInput), out(3 * 8);
  look<<<8, 128>>>(in, out, 1000);
  std::vector<int> wanted;
  for (int b = 0; b < 8; ++b) {
    int large = 0, any = 0, all = 1;
    for (int i = b * 128; i < std::min(1000, b * 128 + 128); ++i) {
      large += kInput[i] > 90;
      any |= kInput[i] == 99;
      all &= kInput[i] < 95;
    }
    wanted.insert(wanted.end(), {large, any, all});
  }
  return out.host() == wanted;
}
}  // namespace barrier_votes

/// The guide's own atomicAdd() of doubles for old cards: it first reads plainly what others change.
namespace doubles_by_swaps {
__device__ double add(double* at, double value) {
  auto* bits = reinterpret_cast<unsigned long long*>(at);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__global__ void sum(const int* in, double* total, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) add(total, in[i] * 0.5);
}
PROGRAM(doubles_by_swaps) {
  Array<int> in(kInput);
  Array<double> total(1);
  sum<<<8, 128>>>(in, total.zero(), 1000);
  return total.host()[0] == sum_of(kInput) * 0.5;
}
}  // namespace doubles_by_swaps

/// The largest float by an atomic of integers: non-negative floats have their order.
namespace largest_float {
__global__ void find(const float* in, float* most, int n) {
  __shared__ float block_most;
  if (threadIdx.x == 0) block_most = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicMax(reinterpret_cast<int*>(&block_most), __float_as_int(in[i]));
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(reinterpret_cast<int*>(most), __float_as_int(block_most));
}
PROGRAM(largest_float) {
  const auto values = numbers<float>(700, 10000);
  Array<float> in(values), most(1);
  find<<<3, 96>>>(in, most.zero(), 700);
  return most.host()[0] == *std::max_element(values.begin(), values.end());
}
}  // namespace largest_float

/// Sums of parts of unequal length, each between two offsets; an empty one is 0.
namespace of_segments {
__global__ void sums(const int* in, const int* offsets, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x, first = offsets[blockIdx.x], behind = offsets[blockIdx.x + 1];
  int mine = 0;
  for (int i = first + t; i < behind; i += 64) mine += in[i];
  s[t] = mine;
  __syncthreads();
  if (t < 32) {
    mine += s[t + 32];
    for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(~0u, mine, step);
    if (t == 0) out[blockIdx.x] = mine;
  }
}
PROGRAM(of_segments) {
  const std::vector<int> offsets{0, 3, 3, 70, 500, 501, 1000};
  std::vector<int> wanted(6);
  for (int s = 0; s < 6; ++s)
    for (int i = offsets[s]; i < offsets[s + 1]; ++i) wanted[s] += kInput[i];
  Array<int> in(kInput), at(offsets), out(6);
  sums<<<6, 64>>>(in, at, out);
  return out.host() == wanted;
}
}  // namespace of_segments

/// Thread 0 alone sums up what the others have left.
namespace one_sums_up {
__global__ void dot(const int* a, const int* b, int* out, int n) {
  __shared__ int products[96];
  int mine = 0;
  for (int i = threadIdx.x; i < n; i += 96) mine += a[i] * b[i];
  products[threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 96; ++i) products[0] += products[i];
    *out = products[0];
  }
}
PROGRAM(one_sums_up) {
  const auto other = numbers(1000, 10, 7);
  int wanted = 0;
  for (int i = 0; i < 1000; ++i) wanted += kInput[i] * other[i];
  Array<int> a(kInput), b(other), out(1);
  dot<<<1, 96>>>(a, b, out, 1000);
  return out.host()[0] == wanted;
}
}  // namespace one_sums_up
