// Another way for each version: two stages, the last step on the CPU, cooperative groups, several streams, vectors.
// loses: sequential structure.uses_shared_memory
// loses: sequential structure.bank_conflict_free
// loses: unrolled structure.uses_shared_memory
// loses: unrolled structure.bank_conflict_free
// loses: grid_stride structure.uses_shared_memory
// loses: grid_stride structure.coalesced
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

constexpr int kBlocks = 256, kThreads = 128;

// A block's sum by a tree of neighbours, to parts[block].
__global__ void block_sums(const Element* x, Sum* parts, int n) {
  __shared__ Sum part[kThreads];
  const int t = static_cast<int>(threadIdx.x);
  Sum v = 0;
  for (long long i = static_cast<long long>(blockIdx.x) * kThreads + t; i < n; i += gridDim.x * kThreads) v += x[i];
  part[t] = v;
  for (int s = 1; s < kThreads; s *= 2) {
    __syncthreads();
    if (t % (2 * s) == 0) part[t] += part[t + s];
  }
  if (t == 0) parts[blockIdx.x] = part[0];
}

__global__ void sum_parts(const Sum* parts, Sum* out, int count) {
  __shared__ Sum part[kBlocks];
  const int t = static_cast<int>(threadIdx.x);
  part[t] = t < count ? parts[t] : 0;
  for (int s = 1; s < kBlocks; s *= 2) {
    __syncthreads();
    if (t % (2 * s) == 0) part[t] += part[t + s];
  }
  if (t == 0) *out = part[0];
}

SUM(interleaved) {
  Sum* parts = nullptr;
  cudaMalloc(&parts, kBlocks * sizeof *parts);
  block_sums<<<kBlocks, kThreads>>>(x, parts, n);
  sum_parts<<<1, kBlocks>>>(parts, out, kBlocks);
  cudaFree(parts);
}

SUM(sequential) {
  Sum* parts = nullptr;
  cudaMalloc(&parts, kBlocks * sizeof *parts);
  block_sums<<<kBlocks, kThreads>>>(x, parts, n);
  std::vector<Sum> host(kBlocks);
  cudaMemcpy(host.data(), parts, kBlocks * sizeof *parts, cudaMemcpyDeviceToHost);
  Sum sum = 0;
  for (const Sum part : host) sum += part;
  cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice);
  cudaFree(parts);
}

__global__ void groups(const Element* x, Sum* out, int n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const Sum v = cg::reduce(warp, static_cast<Sum>(i < n ? x[i] : 0), cg::plus<Sum>());
  if (warp.thread_rank() == 0) add(out, v);
}

SUM(unrolled) {
  cudaMemset(out, 0, sizeof *out);
  if (n > 0) groups<<<(n - 1) / 256 + 1, 256>>>(x, out, n);
}

SUM(grid_stride) {
  cudaMemset(out, 0, sizeof *out);
  cudaStream_t streams[3];
  cudaEvent_t zeroed;
  cudaEventCreate(&zeroed);
  cudaEventRecord(zeroed);
  for (auto& s : streams) {
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamWaitEvent(s, zeroed);
  }
  cudaEventDestroy(zeroed);
  for (int k = 0; k < 3; ++k) {
    const int first = n / 3 * k, count = k == 2 ? n - first : n / 3;
    if (count > 0) groups<<<(count - 1) / 256 + 1, 256, 0, streams[k]>>>(x + first, out, count);
  }
  for (auto& s : streams) cudaStreamSynchronize(s), cudaStreamDestroy(s);
}

__global__ void vectors(const Element* x, Sum* out, int n) {
  constexpr int lanes = sizeof(Vector) / sizeof(Element);
  Sum v = 0;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n / lanes; i += gridDim.x * blockDim.x) {
    v += sum_of(reinterpret_cast<const Vector*>(x)[i]);
  }
  if (blockIdx.x == 0 && static_cast<int>(threadIdx.x) < n % lanes) v += x[n / lanes * lanes + threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) add(out, v);
}

SUM(shuffle) {
  cudaMemset(out, 0, sizeof *out);
  vectors<<<216, 256>>>(x, out, n);
}
