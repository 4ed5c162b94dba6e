// Cooperative groups of groups: sizes known at run time, groups by predicate and of coalesced threads, ranks in blocks and
// grids of three dimensions, scans that leave their own value out, reductions of other types and operations, group copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>

#include <cuda/atomic>
#include <cuda/barrier>

#include "check.cuh"
namespace cg = cooperative_groups;

/// Sums of any group through memory: the textbook's function.
__device__ int sum_of(const cg::thread_group& g, int* room, int value) {
  const int rank = static_cast<int>(g.thread_rank());
  for (int half = static_cast<int>(g.size()) / 2; half > 0; half /= 2) {
    room[rank] = value;
    g.sync();
    if (rank < half) value += room[rank + half];
    g.sync();
  }
  return value;
}
__global__ void of_any_size(int* out) {
  __shared__ int room[64];
  const cg::thread_block block = cg::this_thread_block();
  const int t = static_cast<int>(block.thread_rank());
  int at = 0;
  const auto put = [&](int v) { out[64 * at++ + t] = v; };
  put(sum_of(block, room, t));
  for (const unsigned size : {32u, 16u, 4u, 1u}) {
    const cg::thread_group tile = cg::tiled_partition(block, size);
    put(sum_of(tile, room + t / size * size, t) + 10000 * static_cast<int>(tile.thread_rank()) + 1000000 * static_cast<int>(tile.size()));
    block.sync();
  }
  const cg::thread_group warp = cg::tiled_partition(block, 32), part = cg::tiled_partition(warp, 8);
  put(static_cast<int>(part.thread_rank() + 100 * part.size()));
  if (t % 3 != 0) {
    const cg::coalesced_group some = cg::coalesced_threads();
    const cg::coalesced_group four = cg::tiled_partition(some, 4);
    put(static_cast<int>(four.thread_rank() + 10 * four.size() + 100 * four.meta_group_rank() + 10000 * four.meta_group_size()));
    put(some.shfl_down(t, 2) + 100 * some.shfl_up(t, 3) + 10000 * some.shfl(t, 1));
    put(static_cast<int>(some.ballot(t % 2)) ^ static_cast<int>(some.match_any(t % 5)));
    put(some.any(t == 7) + 2 * some.all(t > 0));
    put(cg::reduce(some, t, cg::less<int>()) + 100 * cg::inclusive_scan(some, 1));
    put(cg::exclusive_scan(some, t) * 100 + static_cast<int>(2 * cg::reduce(some, t * 0.5, cg::plus<double>())));
  }
}
static void check_any_size() {
  Buffer<int> out(64 * 12);
  of_any_size<<<1, 64>>>(out);
  const auto got = out.host();
  for (int t = 0; t < 64; ++t) {
    const auto expect = [&](int k, int want) { compare("of_any_size", got[64 * k + t], want, 0, (shown(k) + ", " + shown(t)).c_str()); };
    const auto partial = [&](int size) {  // what a rank holds in the end: its column, halved again and again
      int values[64];
      for (int i = 0; i < size; ++i) values[i] = t / size * size + i;
      for (int half = size / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; ++i) values[i] += values[i + half];
      }
      return values[t % size];
    };
    expect(0, partial(64));
    int k = 1;
    for (const int size : {32, 16, 4, 1}) expect(k++, partial(size) + 10000 * (t % size) + 1000000 * size);
    expect(5, t % 8 + 800);
    if (t % 3 == 0) continue;
    std::vector<int> lanes;
    for (int i = t / 32 * 32; i < t / 32 * 32 + 32; ++i) {
      if (i % 3 != 0) lanes.push_back(i);
    }
    const int size = static_cast<int>(lanes.size());
    int rank = 0;
    while (lanes[rank] != t) ++rank;
    const int tiles = (size + 3) / 4, tile = rank / 4, in_tile = std::min(4, size - tile * 4);
    expect(6, rank % 4 + 10 * in_tile + 100 * tile + 10000 * tiles);
    expect(7, (rank + 2 < size ? lanes[rank + 2] : t) + 100 * (rank >= 3 ? lanes[rank - 3] : t) + 10000 * lanes[1]);
    int odd = 0, same = 0, sum = 0, before = 0;
    for (int i = 0; i < size; ++i) {
      odd |= lanes[i] % 2 << i;
      same |= (lanes[i] % 5 == t % 5) << i;
      before += i < rank ? lanes[i] : 0;
      sum += lanes[i];
    }
    expect(8, odd ^ same);
    expect(9, (t < 32) + 2);
    expect(10, lanes[0] + 100 * (rank + 1));
    expect(11, before * 100 + sum);
  }
}

struct Three {
  int a;
  double b;
  char c;
};
__global__ void of_types(int* out, float* floats) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(warp);
  const cg::thread_block_tile<8> any = eight;
  const int t = static_cast<int>(block.thread_rank());
  int at = 0;
  const auto put = [&](long long v) { out[64 * at++ + t] = static_cast<int>(v); };
  put(static_cast<int>(eight.meta_group_rank() + 10 * eight.meta_group_size() + 100 * any.meta_group_rank() + 1000 * warp.meta_group_size() + 10000 * any.size()));
  put(cg::reduce(warp, static_cast<long long>(t) << 33, cg::plus<long long>()) >> 33);
  put(cg::reduce(warp, static_cast<unsigned>(t) + 7, cg::bit_xor<unsigned>()));
  put(cg::reduce(eight, t, [](int a, int b) { return a * 3 % 7 > b * 3 % 7 ? a : b; }));
  put(static_cast<int>(cg::reduce(warp, static_cast<short>(t - 40), cg::less<short>())));
  put(cg::exclusive_scan(eight, t + 1, cg::plus<int>()));
  put(cg::inclusive_scan(warp, (t * 7) % 31, cg::greater<int>()));
  put(cg::exclusive_scan(warp, 1 << t % 32, cg::bit_or<int>()));
  const Three three = eight.shfl(Three{t, t * 0.5, static_cast<char>(t)}, 3);
  put(three.a + static_cast<int>(2 * three.b) + three.c);
  const auto two = cg::binary_partition(warp, t % 4 == 1);
  put(static_cast<int>(two.meta_group_rank() + 10 * two.meta_group_size() + 100 * two.size() + 10000 * two.thread_rank()));
  const auto labels = cg::labeled_partition(warp, t % 32 / 5);
  put(static_cast<int>(labels.meta_group_rank() + 10 * labels.meta_group_size() + 100 * labels.size()));
  int all = 0;
  put(static_cast<int>(eight.match_all(t / 8, all) + 1000 * all));
  put(__half2int_rz(cg::reduce(eight, __int2half_rz(t), cg::greater<__half>())));
  put(cg::invoke_one_broadcast(warp, [&] { return t * 3; }));
  put(static_cast<int>(cg::this_thread().size() + cg::group_size(eight) + cg::thread_rank(block)));
  floats[t] = cg::reduce(warp, 1.0f / static_cast<float>(t + 1), cg::plus<float>());
  floats[64 + t] = cg::inclusive_scan(warp, 1.0f / static_cast<float>(t + 1));
}
static void check_types() {
  Buffer<int> out(64 * 15);
  Buffer<float> floats(128);
  of_types<<<1, 64>>>(out, floats);
  const auto got = out.host();
  const auto f = floats.host();
  for (int t = 0; t < 64; ++t) {
    int k = 0;
    const auto expect = [&](int want) { compare("of_types", got[64 * k + t], want, 0, (shown(k) + ", " + shown(t)).c_str()), ++k; };
    const int warp = t / 32 * 32, eight = t / 8 * 8;
    expect(t / 8 % 4 + 40 + 100 * (t / 8 % 4) + 2000 + 80000);
    int sum = 0, bits = 0, best = eight, scan = 0, top = 0, fives = 0;
    for (int i = warp; i < warp + 32; ++i) sum += i, bits ^= i + 7;
    for (int i = eight; i < eight + 8; ++i) best = i * 3 % 7 > best * 3 % 7 ? i : best;
    for (int i = eight; i < t; ++i) scan += i + 1;
    for (int i = warp; i <= t; ++i) top = std::max(top, i * 7 % 31);
    expect(sum);
    expect(bits);
    k++;  // among equals either is the best: below
    EXPECT(got[64 * 3 + t] * 3 % 7 == best * 3 % 7 && got[64 * 3 + t] / 8 == t / 8);
    expect(warp - 40);
    expect(scan);
    expect(top);
    expect(static_cast<int>((1u << t % 32) - 1));
    expect(3 * (eight + 3));
    const bool one = t % 4 == 1;
    int rank = 0;
    for (int i = warp; i < t; ++i) rank += (i % 4 == 1) == one;
    expect(one + 20 + 100 * (one ? 8 : 24) + 10000 * rank);
    for (int i = warp; i < warp + 32; ++i) fives += i % 32 / 5 == t % 32 / 5;
    expect(t % 32 / 5 + 70 + 100 * fives);
    expect(255 + 1000);
    expect(eight + 7);
    expect(warp * 3);
    expect(1 + 8 + t);
    float butterfly[32], line[32];
    for (int i = 0; i < 32; ++i) butterfly[i] = line[i] = 1.0f / static_cast<float>(warp + i + 1);
    for (int with = 16; with > 0; with /= 2) {
      float next[32];
      for (int i = 0; i < 32; ++i) next[i] = butterfly[i] + butterfly[i ^ with];
      std::memcpy(butterfly, next, sizeof next);
    }
    for (int by = 1; by < 32; by *= 2) {
      float next[32];
      for (int i = 0; i < 32; ++i) next[i] = i >= by ? line[i] + line[i - by] : line[i];
      std::memcpy(line, next, sizeof next);
    }
    compare("float sum", f[t], butterfly[t % 32], 0, shown(t).c_str());
    compare("float scan", f[64 + t], line[t % 32], 0, shown(t).c_str());
  }
}

/// Places in blocks and grids of three dimensions.
__global__ void places(long long* out) {
  const auto grid = cg::this_grid();
  const auto block = cg::this_thread_block();
  const dim3 at = grid.block_index(), in = block.thread_index(), blocks = grid.group_dim(), threads = block.dim_threads(), whole = grid.dim_threads();
  const long long place = ((at.z * blocks.y + at.y) * blocks.x + at.x) * 1000ll + (in.z * threads.y + in.y) * threads.x + in.x;
  out[grid.thread_rank()] = place + 1000000 * static_cast<long long>(grid.block_rank()) + 1000000000ll * whole.y + (grid.is_valid() ? 0 : 7) +
                            static_cast<long long>(grid.num_blocks() * block.num_threads() - grid.num_threads());
}
static void check_places() {
  const dim3 blocks(3, 2, 2), threads(4, 2, 3);
  Buffer<long long> out(12 * 24);
  places<<<blocks, threads>>>(out);
  const auto got = out.host();
  for (int i = 0; i < 12 * 24; ++i) compare("places", got[i], i / 24 * 1000ll + i % 24 + i / 24 * 1000000ll + 4000000000ll + 7, 0, shown(i).c_str());
}

/// Arrivals apart from waits, on the block's and the grid's barrier.
__global__ void apart(int* values, int* out) {
  const auto grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank()), n = static_cast<int>(grid.size());
  values[i] = i * i;
  auto token = grid.barrier_arrive();
  const int own = i * 3;
  grid.barrier_wait(std::move(token));
  out[i] = values[n - 1 - i] + own;
}

/// What a group takes from an atomic variable, each thread gets its part of.
__global__ void shared_out(int* next, int* out, int* total) {
  cuda::atomic_ref<int, cuda::thread_scope_device> counter(*next), sum(*total);
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int t = static_cast<int>(threadIdx.x), want = t % 3;
  const int from = cg::exclusive_scan_update(warp, counter, want, cg::plus<int>());
  for (int i = 0; i < want; ++i) out[from + i] += 1;
  cg::reduce_update_async(warp, sum, t, cg::plus<int>());
}

/// Copies by elements, of odd lengths and places, and of whole lines.
__global__ void copied(const char* in, char* out) {
  __shared__ __align__(16) char room[1024];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, room, 512, in + 1, 333);
  cg::memcpy_async(block, reinterpret_cast<int*>(room + 512), reinterpret_cast<const int*>(in + 4), sizeof(int) * 50);
  cg::memcpy_async(block, room + 768, in, cuda::aligned_size_t<16>(256));
  cg::wait(block);
  for (int i = static_cast<int>(threadIdx.x); i < 333; i += static_cast<int>(blockDim.x)) out[i] = room[332 - i];
  for (int i = static_cast<int>(threadIdx.x); i < 200; i += static_cast<int>(blockDim.x)) out[512 + i] = room[512 + 199 - i];
  for (int i = static_cast<int>(threadIdx.x); i < 256; i += static_cast<int>(blockDim.x)) out[768 + i] = room[768 + 255 - i];
}

int main() {
  check_any_size();
  check_types();
  check_places();
  {
    const int n = 6 * 48;
    Buffer<int> values(n), out(n);
    void* arguments[] = {&values.data, &out.data};
    CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(apart), dim3(6), dim3(16, 3), arguments, 0, nullptr));
    const auto got = out.host();
    for (int i = 0; i < n; ++i) EXPECT(got[i] == (n - 1 - i) * (n - 1 - i) + i * 3);
  }
  {
    const std::vector<int> zeros(512);
    Buffer<int> next(std::vector<int>{0}), out(zeros), total(std::vector<int>{0});
    shared_out<<<3, 64>>>(next, out, total);
    int all = 0;
    for (int t = 0; t < 64; ++t) all += 3 * (t % 3);
    EXPECT(next.host()[0] == all && total.host()[0] == 3 * 64 * 63 / 2);
    const auto got = out.host();
    for (int i = 0; i < 512; ++i) EXPECT(got[i] == (i < all ? 1 : 0));
  }
  {
    std::vector<char> in(1024);
    for (int i = 0; i < 1024; ++i) in[i] = static_cast<char>(i * 37 + i / 256);
    Buffer<char> from(in), out(1024);
    copied<<<1, 40>>>(from, out);
    const auto got = out.host();
    for (int i = 0; i < 333; ++i) EXPECT(got[i] == in[1 + 332 - i]);
    for (int i = 0; i < 200; ++i) EXPECT(got[512 + i] == in[4 + 199 - i]);
    for (int i = 0; i < 256; ++i) EXPECT(got[768 + i] == in[255 - i]);
  }
  return finish();
}
