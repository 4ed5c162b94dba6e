// What cooperative groups keep in the shared memory that CUDA reserves: tiles of several warps, which meet, add up
// and scan there, with the block's own variables and dynamic shared memory beside it.
// nvcc alone: where tiles of several warps keep their scratch is the toolkit's business
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.cuh"

namespace cg = cooperative_groups;

template <int Tile>
__global__ void of_tiles(const int* in, int* sums, int* scans, int* greatest) {
  __shared__ cg::block_tile_memory<512> scratch;
  const auto block = cg::this_thread_block(scratch);
  const auto tile = cg::tiled_partition<Tile>(block);
  const int i = block.thread_rank(), value = in[i];
  sums[i] = cg::reduce(tile, value, cg::plus<int>());
  scans[i] = cg::inclusive_scan(tile, value, cg::plus<int>());
  greatest[i] = tile.any(value == 77) ? cg::reduce(tile, value, cg::greater<int>()) : -1;
}

template <int Tile>
void check_tiles(const std::vector<int>& in) {
  const int n = static_cast<int>(in.size());
  Buffer<int> values(in), sums(n), scans(n), greatest(n);
  of_tiles<Tile><<<1, n>>>(values, sums, scans, greatest);
  CUDA(cudaGetLastError());
  const auto got_sums = sums.host(), got_scans = scans.host(), got_greatest = greatest.host();
  for (int first = 0; first < n; first += Tile) {
    int sum = 0, most = 0;
    bool has = false;
    for (int i = first; i < first + Tile; ++i) {
      sum += in[i];
      most = std::max(most, in[i]);
      has = has || in[i] == 77;
      EXPECT(got_scans[i] == sum);
    }
    for (int i = first; i < first + Tile; ++i) EXPECT(got_sums[i] == sum && got_greatest[i] == (has ? most : -1));
  }
}

/// The reduction of a block in doubles: its own tile of dynamic shared memory, then the last warps together.
__global__ void of_block(const double* in, int n, double* out) {
  extern __shared__ double parts[];
  __shared__ int mark[4];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<64>(block);
  if (threadIdx.x < 4) mark[threadIdx.x] = 100 + threadIdx.x;
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  sum = cg::reduce(tile, sum, cg::plus<double>());
  if (tile.thread_rank() == 0) parts[tile.meta_group_rank()] = sum;
  block.sync();
  if (threadIdx.x == 0) {
    for (unsigned t = 1; t < tile.meta_group_size(); ++t) sum += parts[t];
    out[blockIdx.x] = sum + (mark[0] + mark[1] + mark[2] + mark[3] - 406);
  }
}

__global__ void where(unsigned* out) {
  extern __shared__ int dynamic[];
  __shared__ int own[4];
  asm("mov.u32 %0, %%reserved_smem_offset_begin;" : "=r"(out[0]));
  asm("mov.u32 %0, %%reserved_smem_offset_end;" : "=r"(out[1]));
  asm("mov.u32 %0, %%reserved_smem_offset_cap;" : "=r"(out[2]));
  asm("mov.u32 %0, %%total_smem_size;" : "=r"(out[3]));
  own[threadIdx.x] = dynamic[threadIdx.x] = 5;
  out[4] = static_cast<unsigned>(__cvta_generic_to_shared(own));
  out[5] = static_cast<unsigned>(__cvta_generic_to_shared(dynamic));
}

int main() {
  std::vector<int> in(256);
  for (int i = 0; i < 256; ++i) in[i] = (i * 37 + 5) % 101;
  check_tiles<32>(in);
  check_tiles<64>(in);
  check_tiles<128>(in);
  check_tiles<256>(in);

  const int n = 10000, blocks = 3;
  std::vector<double> values(n);
  double total = 0;
  for (int i = 0; i < n; ++i) total += values[i] = i % 97 - 40;
  Buffer<double> numbers(values), out(blocks);
  of_block<<<blocks, 256, 256 / 64 * sizeof(double)>>>(numbers, n, out);
  CUDA(cudaGetLastError());
  const auto got = out.host();
  EXPECT(got[0] + got[1] + got[2] == total);

  // The program's own shared memory lies outside, and it is what the kernel is told to have.
  Buffer<unsigned> places(6);
  where<<<1, 4, 16>>>(places);
  const auto at = places.host();
  EXPECT(at[0] == 0);
  EXPECT(at[1] <= at[2]);  // 288 on an H100
  EXPECT(at[2] == 1024);
  EXPECT(at[4] >= at[1] && at[5] >= at[1]);
  cudaFuncAttributes attributes;
  CUDA(cudaFuncGetAttributes(&attributes, where));
  EXPECT(attributes.sharedSizeBytes == 16);
  return finish();
}
