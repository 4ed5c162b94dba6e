// Cooperative groups: tiles, coalesced and labelled groups, reductions, scans, barriers of the whole grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.cuh"
namespace cg = cooperative_groups;

template <int kSize>
__global__ void tiles(const int* in, int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<kSize>(block);
  const int i = block.thread_rank(), v = in[i];
  int at = 0;
  const auto put = [&](int x) { out[64 * at++ + i] = x; };
  int sum = v;
  for (int d = tile.size() / 2; d > 0; d /= 2) sum += tile.shfl_down(sum, d);
  put(tile.shfl(sum, 0));
  put(tile.any(i == 5) + 2 * tile.all(i < 40));
  put(static_cast<int>(tile.ballot(v % 2)));
  put(cg::reduce(tile, v, cg::plus<int>()));
  put(cg::reduce(tile, v, cg::greater<int>()));
  put(static_cast<int>(cg::reduce(tile, v * 0.5f, cg::plus<float>()) * 2));
  put(cg::inclusive_scan(tile, v));
  put(kSize > 1 ? tile.shfl_xor(v, 1) : v);
  put(tile.thread_rank() * 100 + tile.meta_group_rank());
  put(static_cast<int>(tile.match_any(v % 3)));
  tile.sync();
}
template <int kSize>
static void check_tiles() {
  std::vector<int> in(64);
  for (int i = 0; i < 64; ++i) in[i] = i * 13 % 29;
  Buffer<int> d(in), out(64 * 10);
  tiles<kSize><<<1, 64>>>(d, out);
  const auto got = out.host();
  for (int i = 0; i < 64; ++i) {
    const int first = i / kSize * kSize;
    int sum = 0, top = 0, prefix = 0, ballot = 0, same = 0;
    bool any = false, all = true;
    for (int k = first; k < first + kSize; ++k) {
      sum += in[k];
      top = std::max(top, in[k]);
      if (k <= i) prefix += in[k];
      ballot |= static_cast<int>(static_cast<u32>(in[k] % 2) << (k - first));
      same |= static_cast<int>(static_cast<u32>(in[k] % 3 == in[i] % 3) << (k - first));
      any = any || k == 5;
      all = all && k < 40;
    }
    const int want[] = {sum, any + 2 * all, ballot, sum, top, sum, prefix, in[kSize == 1 ? i : i ^ 1], i % kSize * 100 + i / kSize, same};
    for (int k = 0; k < 10; ++k) compare("tiles", got[64 * k + i], want[k], 0, (shown(kSize) + ", " + shown(k) + ", " + shown(i)).c_str());
  }
}
__global__ void coalesced(int* out, int* counter) {
  const int t = threadIdx.x;
  out[t] = -1;
  if (t % 3 == 1) {
    const auto g = cg::coalesced_threads();
    int base = 0;
    if (g.thread_rank() == 0) base = atomicAdd(counter, g.size());  // warp-aggregated increment
    base = g.shfl(base, 0);
    out[t] = base + g.thread_rank() + 1000 * static_cast<int>(g.size());
  } else if (t > 20) {
    const auto g = cg::coalesced_threads();
    out[t] = -cg::reduce(g, t, cg::plus<int>());
  }
}
__global__ void labelled(int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const auto g = cg::labeled_partition(tile, static_cast<int>(threadIdx.x) % 5);
  out[threadIdx.x] = static_cast<int>(g.size() * 100 + g.thread_rank()) + 10000 * cg::reduce(g, 1, cg::plus<int>());
  const auto two = cg::binary_partition(tile, threadIdx.x < 7);
  out[threadIdx.x] += 1000000 * static_cast<int>(two.size());
}
__global__ void whole_grid(int* a, int* b, int n) {
  const auto grid = cg::this_grid();
  for (int step = 0; step < 5; ++step) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) b[i] = a[(i + 1) % n] + a[(i + n - 1) % n];
    grid.sync();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) a[i] = b[n - 1 - i] % 1000003;
    grid.sync();
  }
}
__global__ void block_group(int* out) {
  const auto block = cg::this_thread_block();
  __shared__ int s[96];
  s[block.thread_rank()] = block.group_index().x * 1000 + block.thread_index().y * 10 + block.thread_index().x;
  block.sync();
  out[blockIdx.x * 96 + block.thread_rank()] = s[block.size() - 1 - block.thread_rank()];
}

int main() {
  check_tiles<32>(); check_tiles<16>(); check_tiles<8>(); check_tiles<4>(); check_tiles<2>(); check_tiles<1>();
  {
    Buffer<int> out(32), counter(std::vector<int>{50});
    coalesced<<<1, 32>>>(out, counter);
    const auto o = out.host();
    int rest = 0;
    for (int t = 21; t < 32; ++t) rest += t % 3 != 1 ? t : 0;
    for (int t = 0; t < 32; ++t) compare("coalesced", o[t], t % 3 == 1 ? 50 + t / 3 + 11000 : t > 20 ? -rest : -1, 0, shown(t).c_str());
    EXPECT(counter.host()[0] == 61);
    labelled<<<1, 32>>>(out);
    const auto l = out.host();
    for (int t = 0; t < 32; ++t) {
      const int size = t % 5 < 2 ? 7 : 6;
      compare("labelled", l[t], size * 100 + t / 5 + 10000 * size + 1000000 * (t < 7 ? 7 : 25), 0, shown(t).c_str());
    }
  }
  {
    const int n = 1000;
    std::vector<int> a(n), b(n);
    for (int i = 0; i < n; ++i) a[i] = i * 31;
    Buffer<int> da(a), db(n);
    int size = n;
    void* arguments[] = {&da.data, &db.data, &size};
    CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(whole_grid), dim3(7), dim3(64), arguments, 0, nullptr));
    CUDA(cudaDeviceSynchronize());
    for (int step = 0; step < 5; ++step) {
      for (int i = 0; i < n; ++i) b[i] = a[(i + 1) % n] + a[(i + n - 1) % n];
      for (int i = 0; i < n; ++i) a[i] = b[n - 1 - i] % 1000003;
    }
    EXPECT(da.host() == a);
  }
  {
    Buffer<int> out(192);
    block_group<<<2, dim3(8, 12)>>>(out);
    const auto o = out.host();
    for (int i = 0; i < 192; ++i) {
      const int other = 95 - i % 96;
      EXPECT(o[i] == i / 96 * 1000 + other / 8 * 10 + other % 8);
    }
  }
  return finish();
}
