// Pipelines and barriers of copies, beside async.cu: stages that are waited for out of turn, the first threads as producers,
// threads that quit, copies that arrive on a barrier by a thread or by a tile, the barriers of C.
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "check.cuh"

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

/// Four stages in flight, of which the oldest are waited for.
__global__ void ahead(const int* in, int* out, int stages) {
  __shared__ __align__(16) int s[4][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 4> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0, fetched = 0;
  for (int i = 0; i < stages; ++i) {
    for (; fetched < stages && fetched < i + 4; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, s[fetched % 4], in + fetched * 64, sizeof s[0], pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 5 + s[i % 4][63 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}
/// One warp fetches for three.
__global__ void served(const int* in, int* out, int stages) {
  __shared__ __align__(16) int s[2][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, 32);
  if (threadIdx.x < 32) {
    for (int i = 0; i < stages; ++i) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[i % 2][threadIdx.x], in + i * 32 + threadIdx.x, cuda::aligned_size_t<4>(4), pipe);
      pipe.producer_commit();
    }
  } else {
    int sum = 0;
    for (int i = 0; i < stages; ++i) {
      pipe.consumer_wait();
      sum = sum * 5 + s[i % 2][(threadIdx.x + 7) % 32];
      pipe.consumer_release();
    }
    out[threadIdx.x - 32] = sum;
  }
}
/// A thread's own pipeline of three stages; the last two are waited for together.
__global__ void own(const double* in, double* out) {
  __shared__ double s[3][32];
  auto pipe = cuda::make_pipeline();
  const int t = threadIdx.x;
  for (int i = 0; i < 3; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(&s[i][t], in + i * 32 + t, sizeof(double), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<2>(pipe);
  double sum = s[0][t];
  pipe.consumer_release();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  sum += s[1][t] * 10 + s[2][t] * 100;
  pipe.consumer_release();
  pipe.consumer_release();
  out[t] = sum;
}
/// Tiles copy their parts; all arrive on one barrier.
__global__ void on_barrier(const int* in, int* out) {
  __shared__ __align__(16) int s[256];
  __shared__ Barrier barrier;
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  const int from = static_cast<int>(tile.meta_group_rank()) * 64;
  cuda::memcpy_async(tile, s + from, in + from, cuda::aligned_size_t<16>(256), barrier);
  auto token = barrier.arrive(1);
  barrier.wait(std::move(token));
  for (int i = threadIdx.x; i < 256; i += 64) out[i] = s[255 - i];
}
/// The same barrier in C, and copies that arrive on it.
__global__ void in_c(const int4* in, int4* out, unsigned* counts) {
  __shared__ int4 s[64];
  __shared__ __mbarrier_t barrier;
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    __pipeline_memcpy_async(&s[t], &in[round * 64 + t], sizeof(int4));
    __pipeline_arrive_on(&barrier);
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    if (round == 0) counts[t] = __mbarrier_token_pending_count(token);
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    out[round * 64 + t] = s[63 - t];
    const __mbarrier_token_t read = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, read)) {
    }
  }
  __syncthreads();
  if (t == 0) {
    __mbarrier_inval(&barrier);
    counts[64] = __mbarrier_maximum_count();
  }
}

int main() {
  std::vector<int> in;
  for (int i = 0; i < 1024; ++i) in.push_back(i * 7919 % 1009);
  Buffer<int> from(in), out(256);
  const auto expect = [&](const char* name, int threads, auto want) {
    const auto got = out.host();
    for (int t = 0; t < threads; ++t) compare(name, got[t], want(t), 0, shown(t).c_str());
  };
  ahead<<<1, 64>>>(from, out, 9);
  expect("ahead", 64, [&](int t) { int sum = 0; for (int i = 0; i < 9; ++i) sum = sum * 5 + in[i * 64 + 63 - t]; return sum; });
  served<<<1, 128>>>(from, out, 11);
  expect("served", 96, [&](int t) { int sum = 0; for (int i = 0; i < 11; ++i) sum = sum * 5 + in[i * 32 + (t + 32 + 7) % 32]; return sum; });
  on_barrier<<<1, 64>>>(from, out);
  expect("on_barrier", 256, [&](int t) { return in[255 - t]; });
  {
    std::vector<double> numbers;
    for (int i = 0; i < 96; ++i) numbers.push_back(i * 0.5);
    Buffer<double> some(numbers), sums(32);
    own<<<1, 32>>>(some, sums);
    const auto got = sums.host();
    for (int t = 0; t < 32; ++t) EXPECT(got[t] == numbers[t] + numbers[32 + t] * 10 + numbers[64 + t] * 100);
  }
  {
    Buffer<int> copies(768);
    Buffer<unsigned> counts(65);
    in_c<<<1, 64>>>(reinterpret_cast<const int4*>(from.data), reinterpret_cast<int4*>(copies.data), counts);
    const auto got = copies.host();
    for (int i = 0; i < 768; ++i) EXPECT(got[i] == in[i / 256 * 256 + 4 * (63 - i % 256 / 4) + i % 4]);
    const auto c = counts.host();
    EXPECT(c[64] == (1u << 14) - 1 && c[0] >= 1 && c[0] <= 128);
  }
  return finish();
}
