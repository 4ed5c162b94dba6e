// Asynchronous copies: __pipeline_memcpy_async, cooperative_groups::memcpy_async, cuda::memcpy_async, cp.async in PTX.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "check.cuh"

#pragma nv_diag_suppress static_var_with_dynamic_init  // cuda::barrier in shared memory is set up by init()

namespace cg = cooperative_groups;

/// Elements of 4, 8 and 16 bytes; the last third is zero-filled from `keep` bytes on.
template <class T>
__global__ void primitives(const T* in, T* out, int keep) {
  __shared__ T s[96];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], sizeof(T));
  __pipeline_commit();
  __pipeline_memcpy_async(&s[t + 32], &in[t + 32], sizeof(T));
  __pipeline_commit();
  __pipeline_memcpy_async(&s[t + 64], &in[t + 64], sizeof(T), sizeof(T) - keep);
  __pipeline_commit();
  __pipeline_wait_prior(2);
  __syncthreads();
  out[t] = s[31 - t];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t + 32] = s[32 + 31 - t];
  out[t + 64] = s[64 + 31 - t];
}
template <class T>
void check_primitives(int keep) {
  constexpr int words = sizeof(T) / 4;
  std::vector<T> in(96);
  auto* const numbers = reinterpret_cast<u32*>(in.data());
  for (int i = 0; i < 96 * words; ++i) numbers[i] = 0x01020304u + 0x05070B0Du * static_cast<u32>(i);
  Buffer<T> from(in), to(96);
  primitives<<<1, 32>>>(from.data, to.data, keep);
  auto got = to.host();
  for (int i = 0; i < 96; ++i) {
    T want = in[i / 32 * 32 + 31 - i % 32];
    if (i >= 64) std::memset(reinterpret_cast<char*>(&want) + keep, 0, sizeof(T) - keep);
    EXPECT(std::memcmp(&got[i], &want, sizeof(T)) == 0);
  }
}

/// Lanes for which `skip` holds copy nothing but zeros; they may point anywhere.
__global__ void ignored(const float* in, float* out) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  const u32 to = static_cast<u32>(__cvta_generic_to_shared(s + t));
  const float* const from = t % 3 == 0 ? nullptr : in + t;
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %2, 0; cp.async.ca.shared.global [%0], [%1], 4, p; cp.async.wait_all; }" ::"r"(to), "l"(from), "r"(t % 3) : "memory");
  __syncwarp();
  out[t] = s[t];
}

/// Whole tiles by a group, and a pipeline of two stages.
__global__ void by_group(const float* in, float* out) {
  __shared__ __align__(16) float s[2][256];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, s[0], in, sizeof s[0]);
  cg::memcpy_async(block, s[1], in + 256, sizeof s[1]);
  cg::wait_prior<1>(block);
  out[threadIdx.x] = s[0][255 - threadIdx.x];
  cg::wait(block);
  out[256 + threadIdx.x] = s[1][255 - threadIdx.x];
}
__global__ void staged(const int* in, int* out, int stages) {
  __shared__ __align__(16) int s[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const auto fetch = [&](int i) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[i & 1], in + i * 128, cuda::aligned_size_t<16>(512), pipe);
    pipe.producer_commit();
  };
  fetch(0);
  int sum = 0;
  for (int i = 0; i < stages; ++i) {
    if (i + 1 < stages) fetch(i + 1);
    pipe.consumer_wait();
    sum = sum * 3 + s[i & 1][127 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}
/// Half of the block fetches, half computes.
__global__ void divided(const int* in, int* out, int stages) {
  __shared__ __align__(16) int s[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  const bool fetches = threadIdx.x < 64;
  auto pipe = cuda::make_pipeline(block, &state, fetches ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  if (fetches) {
    for (int i = 0; i < stages; ++i) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[i & 1][threadIdx.x], in + i * 64 + threadIdx.x, sizeof(int), pipe);
      pipe.producer_commit();
    }
  } else {
    int sum = 0;
    for (int i = 0; i < stages; ++i) {
      pipe.consumer_wait();
      sum = sum * 3 + s[i & 1][127 - threadIdx.x];
      pipe.consumer_release();
    }
    out[threadIdx.x - 64] = sum;
  }
}
/// A thread's own pipeline needs no barrier.
__global__ void alone(const double* in, double* out) {
  __shared__ double s[64];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(double), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  out[threadIdx.x] = 2 * s[threadIdx.x];
  pipe.consumer_release();
}

std::vector<int> integers(int n) {
  std::vector<int> v;
  for (int i = 0; i < n; ++i) v.push_back(i * 7919 % 1009);
  return v;
}

int main() {
  for (const int keep : {0, 1, 3, 4}) {
    check_primitives<int>(keep);
    check_primitives<int2>(keep * 2);
    check_primitives<int4>(keep * 4);
  }
  {
    std::vector<float> in;
    for (int i = 0; i < 512; ++i) in.push_back(static_cast<float>(i) + 1);
    Buffer<float> from(in), to(512);
    ignored<<<1, 32>>>(from, to);
    const auto some = to.host();
    for (int i = 0; i < 32; ++i) EXPECT(some[i] == (i % 3 == 0 ? 0 : in[i]));
    by_group<<<1, 256>>>(from, to);
    const auto got = to.host();
    for (int i = 0; i < 512; ++i) EXPECT(got[i] == in[i / 256 * 256 + 255 - i % 256]);
  }
  {
    const auto in = integers(7 * 128);
    Buffer<int> from(in), to(128);
    staged<<<1, 128>>>(from, to, 7);
    auto got = to.host();
    for (int t = 0; t < 128; ++t) {
      int sum = 0;
      for (int i = 0; i < 7; ++i) sum = sum * 3 + in[i * 128 + 127 - t];
      EXPECT(got[t] == sum);
    }
    divided<<<1, 128>>>(from, to, 7);
    got = to.host();
    for (int t = 0; t < 64; ++t) {
      int sum = 0;
      for (int i = 0; i < 7; ++i) sum = sum * 3 + in[i * 64 + 63 - t];
      EXPECT(got[t] == sum);
    }
  }
  {
    std::vector<double> in;
    for (int i = 0; i < 64; ++i) in.push_back(i * 0.5);
    Buffer<double> from(in), to(64);
    alone<<<1, 64>>>(from, to);
    const auto got = to.host();
    for (int i = 0; i < 64; ++i) EXPECT(got[i] == in[i] * 2);
  }
  return finish();
}
