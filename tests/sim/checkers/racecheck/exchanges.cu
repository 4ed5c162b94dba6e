// Lanes of a warp exchange values through memory, with only a shuffle, a vote or a match between.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void behind_shuffles(const int* in, int* out) {
  __shared__ int row[32];
  row[threadIdx.x] = in[threadIdx.x];
  int sum = in[threadIdx.x];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  out[threadIdx.x] = sum + row[(threadIdx.x + 1) % 32];
}

__global__ void behind_vote(const int* in, int* out) {
  __shared__ int taken[32];
  taken[threadIdx.x] = in[threadIdx.x];
  const bool any = __any_sync(0xffffffffu, in[threadIdx.x] < 0);
  out[threadIdx.x] = any ? 0 : taken[31 - threadIdx.x];
}

__global__ void behind_ballot_in_global_memory(int* row, int* out) {
  row[threadIdx.x] = threadIdx.x;
  const unsigned odd = __ballot_sync(0xffffffffu, threadIdx.x % 2);
  out[threadIdx.x] = row[threadIdx.x ^ 1] + __popc(odd);
}

__global__ void behind_shuffle_of_a_tile(const int* in, int* out) {
  __shared__ int part[32];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  part[threadIdx.x] = in[threadIdx.x];
  const int first = tile.shfl(in[threadIdx.x], 0);
  out[threadIdx.x] = first + part[threadIdx.x ^ 1];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  behind_shuffles<<<1, 32>>>(in, out);
  behind_vote<<<1, 32>>>(in, out);
  behind_ballot_in_global_memory<<<1, 32>>>(in, out);
  behind_shuffle_of_a_tile<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
