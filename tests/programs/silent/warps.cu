// Lanes of one warp: votes, shuffles, masks, memory between __syncwarp().
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "silent.cuh"

namespace cg = cooperative_groups;

template <class Kernel>
static std::vector<int> run(Kernel kernel, const std::vector<int>& in, int blocks, int threads) {
  Array<int> x(in), out(blocks * threads);
  kernel<<<blocks, threads>>>(x, out);
  return out.host();
}

namespace reversed {
__global__ void reverse(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl_sync(~0u, in[i], 31 - threadIdx.x % 32);
}
PROGRAM(reversed) {
  const auto in = numbers(128, 1000), got = run(reverse, in, 2, 64);
  for (int i = 0; i < 128; ++i)
    if (got[i] != in[i / 32 * 32 + 31 - i % 32]) return false;
  return true;
}
}  // namespace reversed

/// What lanes leave in shared memory for each other, between two __syncwarp().
namespace exchanged {
__global__ void exchange(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int v = in[t];
  for (int round = 0; round < 5; ++round) {
    s[t] = v;
    __syncwarp();
    v = s[t ^ (1 << round)] + 1;
    __syncwarp();
  }
  out[t] = v;
}
PROGRAM(exchanged) {
  const auto in = numbers(64, 1000), got = run(exchange, in, 1, 64);
  for (int i = 0; i < 64; ++i)
    if (got[i] != in[i ^ 31] + 5) return false;
  return true;
}
}  // namespace exchanged

/// Both sides of a branch have their own half and its mask.
namespace halves {
__global__ void sums(const int* in, int* out) {
  int v = in[threadIdx.x];
  if (threadIdx.x % 32 < 16) {
    for (int step = 8; step > 0; step /= 2) v += __shfl_xor_sync(0x0000ffff, v, step);
  } else {
    for (int step = 8; step > 0; step /= 2) v = max(v, __shfl_xor_sync(0xffff0000, v, step));
  }
  __syncwarp();
  out[threadIdx.x] = v;
}
PROGRAM(halves) {
  const auto in = numbers(64, 1000), got = run(sums, in, 1, 64);
  for (int h = 0; h < 4; ++h) {
    int sum = 0, most = 0;
    for (int i = 0; i < 16; ++i) sum += in[h * 16 + i], most = std::max(most, in[h * 16 + i]);
    for (int i = 0; i < 16; ++i)
      if (got[h * 16 + i] != (h % 2 ? most : sum)) return false;
  }
  return true;
}
}  // namespace halves

/// Lanes that have found what they look for leave; those that stay vote by what is left of them.
namespace some_leave {
__global__ void search(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned mask = ~0u;
  int v = in[i], rounds = 0;
  for (;;) {
    const bool stays = v % 10 != 0;
    mask = __ballot_sync(mask, stays);
    if (!stays) break;
    v += __popc(mask) > 0;
    ++rounds;
  }
  out[i] = rounds;
}
PROGRAM(some_leave) {
  const auto in = numbers(64, 1000), got = run(search, in, 1, 64);
  for (int i = 0; i < 64; ++i)
    if (got[i] != (10 - in[i] % 10) % 10) return false;
  return true;
}
}  // namespace some_leave

/// Lanes of one key after another: the first that is left chooses.
namespace by_turns {
__global__ void groups(const int* in, int* out) {
  const int t = threadIdx.x, key = in[t] % 5;
  int order = 0, mine = 0;
  for (unsigned left = ~0u; left != 0;) {
    const int chosen = __shfl_sync(~0u, key, __ffs(left) - 1);
    const unsigned same = __ballot_sync(~0u, key == chosen);
    if (key == chosen) mine = order + __popc(same & ((1u << t) - 1));
    order += __popc(same);
    left &= ~same;
  }
  out[mine] = key;
}
PROGRAM(by_turns) {
  const auto in = numbers(32, 1000), got = run(groups, in, 1, 32);
  std::vector<int> seen(5);
  for (int i = 0; i < 32; ++i) {
    if (seen[got[i]] && got[i - 1] != got[i]) return false;
    ++seen[got[i]];
  }
  for (int v : in) --seen[v % 5];
  return seen == std::vector<int>(5);
}
}  // namespace by_turns

/// All the same? Only then the mask is not 0.
namespace all_alike {
__global__ void compare(const int* in, int* out) {
  int same;
  const unsigned mask = __match_all_sync(~0u, in[threadIdx.x], &same);
  out[threadIdx.x] = same && mask == ~0u;
}
PROGRAM(all_alike) {
  std::vector<int> in(64, 7);
  in[40] = 8;
  const auto got = run(compare, in, 1, 64);
  for (int i = 0; i < 64; ++i)
    if (got[i] != (i < 32)) return false;
  return true;
}
}  // namespace all_alike

/// Only lane 0 has set what all take from it.
namespace broadcast {
__global__ void tell(const int* in, int* out) {
  int v;
  if (threadIdx.x % 32 == 0) v = in[threadIdx.x];
  v = __shfl_sync(~0u, v, 0);
  out[threadIdx.x] = v + threadIdx.x;
}
PROGRAM(broadcast) {
  const auto in = numbers(96, 1000), got = run(tell, in, 1, 96);
  for (int i = 0; i < 96; ++i)
    if (got[i] != in[i / 32 * 32] + i) return false;
  return true;
}
}  // namespace broadcast

/// A block of 40 threads: the mask of the last warp names lanes that there are.
namespace short_warp {
__global__ void sums(const int* in, int* out) {
  const int t = threadIdx.x, lane = t % 32, many = min(32, static_cast<int>(blockDim.x) - t / 32 * 32);
  const unsigned mask = many == 32 ? ~0u : (1u << many) - 1;
  int v = in[t];
  for (int step = 16; step > 0; step /= 2) {
    const int other = __shfl_down_sync(mask, v, step);
    if (lane + step < many) v += other;
  }
  out[t] = lane == 0 ? v : 0;
}
PROGRAM(short_warp) {
  const auto in = numbers(40, 1000), got = run(sums, in, 1, 40);
  int first = 0, second = 0;
  for (int i = 0; i < 40; ++i) (i < 32 ? first : second) += in[i];
  return got[0] == first && got[32] == second;
}
}  // namespace short_warp

/// A warp that leaves early, before a barrier that the others reach with a count of their own.
namespace warp_specialised {
__global__ void work(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t >= 64) {  // this warp has its own work, and no barrier
    out[t] = in[t] * 2;
    return;
  }
  s[t] = in[t];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[t] = s[63 - t];
}
PROGRAM(warp_specialised) {
  const auto in = numbers(96, 1000), got = run(work, in, 1, 96);
  for (int i = 0; i < 96; ++i)
    if (got[i] != (i < 64 ? in[63 - i] : in[i] * 2)) return false;
  return true;
}
}  // namespace warp_specialised

/// A tile of eight, partitioned out of a tile of 32; each reduces by its own shuffles.
namespace tiles_of_tiles {
__global__ void sums(const int* in, int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto tile = cg::tiled_partition<8>(warp);
  int v = in[threadIdx.x];
  for (int step = tile.size() / 2; step > 0; step /= 2) v += tile.shfl_xor(v, step);
  out[threadIdx.x] = v + (warp.any(v > 5000) ? 1 : 0) + 2 * tile.meta_group_rank();
}
PROGRAM(tiles_of_tiles) {
  const auto in = numbers(64, 1000), got = run(sums, in, 1, 64);
  std::vector<int> sum(8);
  for (int i = 0; i < 64; ++i) sum[i / 8] += in[i];
  for (int i = 0; i < 64; ++i) {
    const int w = i / 32;
    const bool any = std::any_of(sum.begin() + 4 * w, sum.begin() + 4 * w + 4, [](int s) { return s > 5000; });
    if (got[i] != sum[i / 8] + any + 2 * (i / 8 % 4)) return false;
  }
  return true;
}
}  // namespace tiles_of_tiles

/// The lanes that are together in a branch, as a group.
namespace coalesced {
__global__ void count(const int* in, int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  if (in[threadIdx.x] % 3 == 0) {
    const auto group = cg::coalesced_threads();
    int base = 0;
    if (group.thread_rank() == 0) base = atomicAdd(&total, group.size());
    out[group.shfl(base, 0) + group.thread_rank()] = in[threadIdx.x];
  }
  __syncthreads();
  if (threadIdx.x >= total) out[threadIdx.x] = -1;
}
PROGRAM(coalesced) {
  const auto in = numbers(128, 1000);
  auto got = run(count, in, 1, 128);
  std::vector<int> wanted;
  for (int v : in)
    if (v % 3 == 0) wanted.push_back(v);
  wanted.resize(128, -1);
  std::sort(got.begin(), got.end());
  std::sort(wanted.begin(), wanted.end());
  return got == wanted;
}
}  // namespace coalesced

/// Groups by a label, whatever lanes these are.
namespace labelled {
__global__ void sums(const int* in, int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const auto group = cg::labeled_partition(tile, in[threadIdx.x] % 4);
  out[threadIdx.x] = cg::reduce(group, in[threadIdx.x], cg::plus<int>());
}
PROGRAM(labelled) {
  const auto in = numbers(64, 1000), got = run(sums, in, 1, 64);
  for (int i = 0; i < 64; ++i) {
    int sum = 0;
    for (int j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) sum += in[j] % 4 == in[i] % 4 ? in[j] : 0;
    if (got[i] != sum) return false;
  }
  return true;
}
}  // namespace labelled

/// Values of 64 bits and of pairs, which shuffles move in parts.
namespace wide_values {
__global__ void rotate(const int* in, int* out) {
  const int t = threadIdx.x, from = (t + 5) % 32;
  const double d = __shfl_sync(~0u, in[t] * 0.5, from);
  const long long l = __shfl_sync(~0u, in[t] * 10000000000ll, from);
  const unsigned long long u = __shfl_down_sync(~0u, static_cast<unsigned long long>(in[t]), 1, 4);
  out[t] = static_cast<int>(d * 2) + static_cast<int>(l / 10000000000ll) + static_cast<int>(u);
}
PROGRAM(wide_values) {
  const auto in = numbers(32, 1000), got = run(rotate, in, 1, 32);
  for (int i = 0; i < 32; ++i)
    if (got[i] != 2 * in[(i + 5) % 32] + in[i % 4 == 3 ? i : i + 1]) return false;
  return true;
}
}  // namespace wide_values

/// Shifts over the borders of words, and bits counted from below.
namespace bit_stream {
__global__ void shift(const int* in, int* out) {
  const unsigned here = in[threadIdx.x] * 2654435761u, next = __shfl_down_sync(~0u, here, 1);
  const unsigned moved = __funnelshift_r(here, threadIdx.x % 32 == 31 ? 0 : next, 11);
  out[threadIdx.x] = __popc(moved) * 10000 + __clz(moved) * 100 + __ffs(moved);
}
PROGRAM(bit_stream) {
  const auto in = numbers(32, 1000), got = run(shift, in, 1, 32);
  for (int i = 0; i < 32; ++i) {
    const unsigned here = in[i] * 2654435761u, next = i == 31 ? 0 : in[i + 1] * 2654435761u;
    const unsigned moved = here >> 11 | next << 21;
    const int zeros = moved ? __builtin_clz(moved) : 32;
    if (got[i] != __builtin_popcount(moved) * 10000 + zeros * 100 + __builtin_ffs(moved)) return false;
  }
  return true;
}
}  // namespace bit_stream

/// Stores of lanes to one place: the same value from all, or from one whom they have chosen.
namespace one_store {
__global__ void flags(const int* in, int* out) {
  __shared__ int any, who;
  any = 0;  // by all
  __syncwarp();
  if (in[threadIdx.x] > 900) any = 1;
  const unsigned large = __ballot_sync(~0u, in[threadIdx.x] > 900);
  if (large != 0 && threadIdx.x == __ffs(large) - 1) who = in[threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = any ? who : -1;
}
PROGRAM(one_store) {
  const auto in = numbers(32, 1000, 3), got = run(flags, in, 1, 32);
  const auto found = std::find_if(in.begin(), in.end(), [](int v) { return v > 900; });
  return got == std::vector<int>(32, found == in.end() ? -1 : *found);
}
}  // namespace one_store
