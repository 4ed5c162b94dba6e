// cuda::barrier and mbarrier: arrive and wait apart, phases, dropping out, copies that arrive, one warp waiting for others.
#include <cooperative_groups.h>

#include <cuda/barrier>

#include "check.cuh"

#pragma nv_diag_suppress static_var_with_dynamic_init  // cuda::barrier in shared memory is set up by init()

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

/// Each phase turns the array round: a thread that did not wait would read an old value.
__global__ void phases(int* out, int rounds) {
  __shared__ int s[256];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int value = threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    s[threadIdx.x] = value;
    auto token = barrier.arrive();
    const int own = i;  // work between arriving and waiting
    barrier.wait(std::move(token));
    value = s[255 - threadIdx.x] + own;
    barrier.arrive_and_wait();
  }
  out[threadIdx.x] = value;
}

/// Warp by warp: consumers wait for the warps before them; the last ones only arrive.
__global__ void chain(int* out) {
  __shared__ int total;
  __shared__ Barrier turn[8];
  const int warp = threadIdx.x / 32;
  if (threadIdx.x < 8) init(&turn[threadIdx.x], 32);
  if (threadIdx.x == 0) total = 1;
  __syncthreads();
  if (warp > 0) turn[warp - 1].wait_parity(false);
  if (threadIdx.x % 32 == 0) total = total * 3 + warp;
  (void)turn[warp].arrive();
  turn[7].wait_parity(false);
  out[threadIdx.x] = total;
}

/// Threads leave one after the other; those that stay are no longer waited for.
__global__ void dropping(int* out) {
  __shared__ int counter;
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    counter = 0;
  }
  __syncthreads();
  int seen = 0;
  for (int i = 0; i < 4; ++i) {
    if (static_cast<int>(threadIdx.x) / 16 == i) {
      barrier.arrive_and_drop();
      out[threadIdx.x] = seen;
      return;
    }
    atomicAdd(&counter, 1);
    barrier.arrive_and_wait();
    seen = counter;
    barrier.arrive_and_wait();
  }
}

/// Copies that arrive on a barrier.
__global__ void copies(const int* in, int* out) {
  __shared__ __align__(16) int s[512];
  __shared__ Barrier barrier;
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(block, s, in, cuda::aligned_size_t<16>(sizeof s), barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = s[511 - threadIdx.x] + s[threadIdx.x];
}

/// The instructions themselves. out: pending counts and what the tests answer.
__global__ void instructions(u32* out) {
  __shared__ u64 object;
  const u32 at = static_cast<u32>(__cvta_generic_to_shared(&object));
  u64 token, after;
  u32 pending, pending_after, done, parity0, parity1;
  if (threadIdx.x != 0) return;
  asm volatile("mbarrier.init.shared.b64 [%0], 5;" ::"r"(at) : "memory");
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 3;" : "=l"(after) : "r"(at) : "memory");
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(token));
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending_after) : "l"(after));
  const auto test = [&] {
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at), "l"(token) : "memory");
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(parity0) : "r"(at) : "memory");
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 1; selp.u32 %0, 1, 0, p; }" : "=r"(parity1) : "r"(at) : "memory");
  };
  test();
  out[0] = pending, out[1] = pending_after, out[2] = done, out[3] = parity0, out[4] = parity1;
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(at) : "memory");  // takes nothing off
  test();
  out[5] = done;
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
  do test();
  while (!done);
  out[6] = done, out[7] = parity0, out[8] = parity1;
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");
}

int main() {
  Buffer<int> out(256);
  phases<<<1, 256>>>(out, 5);
  auto got = out.host();
  for (int t = 0; t < 256; ++t) EXPECT(got[t] == 255 - t + 0 + 1 + 2 + 3 + 4);
  chain<<<1, 256>>>(out);
  got = out.host();
  int total = 1;
  for (int w = 0; w < 8; ++w) total = total * 3 + w;
  for (int t = 0; t < 256; ++t) EXPECT(got[t] == total);
  dropping<<<1, 64>>>(out);
  got = out.host();
  const int seen[4] = {0, 48, 80, 96};
  for (int t = 0; t < 64; ++t) EXPECT(got[t] == seen[t / 16]);
  std::vector<int> in;
  for (int i = 0; i < 512; ++i) in.push_back(i * i);
  Buffer<int> from(in);
  copies<<<1, 128>>>(from, out);
  got = out.host();
  for (int t = 0; t < 128; ++t) EXPECT(got[t] == in[511 - t] + in[t]);
  Buffer<u32> bits(9);
  instructions<<<1, 32>>>(bits);
  const auto answers = bits.host();
  const u32 want[9] = {5, 4, 0, 0, 1, 0, 1, 1, 0};
  for (int i = 0; i < 9; ++i) {
    if (answers[i] != want[i] && ++mismatches <= 20) std::printf("answer %d: %u, not %u\n", i, answers[i], want[i]);
  }
  return finish();
}
