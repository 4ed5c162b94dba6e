// Shuffles and votes beside a synchronization that orders memory, or between accesses of one lane.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void syncwarp_behind_shuffles(const int* in, int* out) {
  __shared__ int row[32];
  row[threadIdx.x] = in[threadIdx.x];
  int sum = in[threadIdx.x];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  __syncwarp();
  out[threadIdx.x] = sum + row[(threadIdx.x + 1) % 32];
}

__global__ void sync_of_tiles(const int* in, int* out) {
  __shared__ int part[64];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const auto half = cg::tiled_partition<16>(tile);
  part[threadIdx.x] = in[threadIdx.x];
  half.sync();
  const int beside = part[threadIdx.x ^ 1];
  tile.sync();
  part[threadIdx.x] = cg::reduce(tile, beside, cg::plus<int>());
  tile.sync();
  out[threadIdx.x] = part[threadIdx.x ^ 31];
}

__global__ void sync_of_coalesced_threads(const int* in, int* out) {
  __shared__ int part[64];
  if (threadIdx.x % 2 == 0) {
    const auto active = cg::coalesced_threads();
    part[threadIdx.x] = in[threadIdx.x];
    active.sync();
    out[threadIdx.x] = part[threadIdx.x ^ 2];
  }
}

__global__ void each_lane_reads_its_own(const int* in, int* out) {
  __shared__ int own[64];
  own[threadIdx.x] = in[threadIdx.x];
  const unsigned odd = __ballot_sync(0xffffffffu, in[threadIdx.x] % 2);
  out[threadIdx.x] = own[threadIdx.x] + __popc(odd);
}

__global__ void barrier_of_the_block(const int* in, int* out) {
  __shared__ int row[64];
  row[threadIdx.x] = in[threadIdx.x];
  const bool any = __syncthreads_or(in[threadIdx.x] < 0);
  out[threadIdx.x] = any ? 0 : row[63 - threadIdx.x];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  syncwarp_behind_shuffles<<<1, 32>>>(in, out);
  sync_of_tiles<<<1, 64>>>(in, out);
  sync_of_coalesced_threads<<<1, 64>>>(in, out);
  each_lane_reads_its_own<<<1, 64>>>(in, out);
  barrier_of_the_block<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
