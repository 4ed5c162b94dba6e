// cp.async, pipelines, cuda::barrier and groups over the grid.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

#include "silent.cuh"

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

static std::vector<int> reversed_tiles(const std::vector<int>& in, int tile) {
  std::vector<int> out(in);
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i / tile * tile + tile - 1 - i % tile];
  return out;
}

/// Each thread waits for its own copies, and then all meet.
namespace copied_by_threads {
__global__ void reverse(const int* in, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x, first = blockIdx.x * 128;
  __pipeline_memcpy_async(&s[t], &in[first + t], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[first + t] = s[127 - t];
}
PROGRAM(copied_by_threads) {
  const auto in = numbers(512, 1000);
  Array<int> a(in), out(512);
  reverse<<<4, 128>>>(a, out);
  return out.host() == reversed_tiles(in, 128);
}
}  // namespace copied_by_threads

/// 16 bytes a copy, three stages in flight; one may still be on its way while another is read.
namespace three_stages {
__global__ void reverse(const int4* in, int* out, int tiles) {
  __shared__ int4 s[3][32];
  const int t = threadIdx.x;
  for (int k = 0; k < 2; ++k) {
    if (k < tiles) __pipeline_memcpy_async(&s[k][t], &in[k * 32 + t], sizeof(int4));
    __pipeline_commit();
  }
  for (int k = 0; k < tiles; ++k) {
    if (k + 2 < tiles) __pipeline_memcpy_async(&s[(k + 2) % 3][t], &in[(k + 2) * 32 + t], sizeof(int4));
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    const int* tile = reinterpret_cast<const int*>(s[k % 3]);
    for (int i = t; i < 128; i += 32) out[k * 128 + i] = tile[127 - i];
    __syncthreads();
  }
}
PROGRAM(three_stages) {
  const auto in = numbers(128 * 7, 1000);
  Array<int> a(in), out(128 * 7);
  reverse<<<1, 32>>>(reinterpret_cast<const int4*>(static_cast<int*>(a)), out, 7);
  return out.host() == reversed_tiles(in, 128);
}
}  // namespace three_stages

/// The rest of a tile is filled with zeros by the copy itself.
namespace filled_with_zeros {
__global__ void sums(const int* in, int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  const bool there = i < n;
  __pipeline_memcpy_async(&s[t], &in[there ? i : 0], sizeof(int), there ? 0 : sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int k = 0; k < 64; ++k) sum += s[k];
    out[blockIdx.x] = sum;
  }
}
PROGRAM(filled_with_zeros) {
  const auto in = numbers(150, 1000);
  Array<int> a(in), out(3);
  sums<<<3, 64>>>(a, out, 150);
  std::vector<int> wanted(3);
  for (int i = 0; i < 150; ++i) wanted[i / 64] += in[i];
  return out.host() == wanted;
}
}  // namespace filled_with_zeros

namespace copied_by_the_group {
__global__ void reverse(const int* in, int* out, int n) {
  __shared__ int s[100];
  const auto block = cg::this_thread_block();
  for (int first = 0; first < n; first += 100) {
    const int many = min(100, n - first);
    cg::memcpy_async(block, s, in + first, sizeof(int) * many);
    cg::wait(block);
    for (int i = block.thread_rank(); i < many; i += block.size()) out[first + i] = s[many - 1 - i];
    block.sync();
  }
}
PROGRAM(copied_by_the_group) {
  const auto in = numbers(350, 1000);
  Array<int> a(in), out(350);
  reverse<<<1, 64>>>(a, out, 350);
  const auto got = out.host();
  for (int i = 0; i < 350; ++i) {
    const int first = i / 100 * 100, many = std::min(100, 350 - first);
    if (got[i] != in[first + many - 1 - (i - first)]) return false;
  }
  return true;
}
}  // namespace copied_by_the_group

/// A barrier that is told of copies: who waits at it sees them.
namespace copies_at_a_barrier {
__global__ void reverse(const int* in, int* out) {
  __shared__ Barrier bar;
  __shared__ int s[64];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  for (int k = 0; k < 3; ++k) {
    cuda::memcpy_async(&s[threadIdx.x], &in[k * 64 + threadIdx.x], sizeof(int), bar);
    bar.arrive_and_wait();
    out[k * 64 + threadIdx.x] = s[63 - threadIdx.x];
    bar.arrive_and_wait();
  }
}
PROGRAM(copies_at_a_barrier) {
  const auto in = numbers(192, 1000);
  Array<int> a(in), out(192);
  reverse<<<1, 64>>>(a, out);
  return out.host() == reversed_tiles(in, 64);
}
}  // namespace copies_at_a_barrier

/// Work between arriving and waiting touches nothing that the barrier is for.
namespace split_barrier {
__global__ void run(const int* in, int* out) {
  __shared__ Barrier bar;
  __shared__ int s[96];
  const int t = threadIdx.x;
  if (t == 0) init(&bar, 96);
  __syncthreads();
  int own = 0;
  for (int k = 0; k < 4; ++k) {
    s[t] = in[t] + k;
    auto token = bar.arrive();
    own += in[t] * k;
    bar.wait(std::move(token));
    own += s[(t + 1) % 96];
    bar.arrive_and_wait();
  }
  out[t] = own;
}
PROGRAM(split_barrier) {
  const auto in = numbers(96, 1000);
  Array<int> a(in), out(96);
  run<<<1, 96>>>(a, out);
  const auto got = out.host();
  for (int i = 0; i < 96; ++i)
    if (got[i] != 6 * in[i] + 4 * in[(i + 1) % 96] + 6) return false;
  return true;
}
}  // namespace split_barrier

/// One warp loads, three compute: two barriers for each of two buffers.
namespace loading_warp {
__global__ void run(const int* in, int* out, int tiles) {
  __shared__ Barrier full[2], empty[2];
  __shared__ int s[2][96];
  const int t = threadIdx.x;
  if (t < 2) {
    init(&full[t], 128);
    init(&empty[t], 128);
  }
  __syncthreads();
  for (int k = 0; k < tiles; ++k) {
    const int b = k % 2;
    if (t < 32) {
      if (k >= 2) empty[b].arrive_and_wait();
      for (int i = t; i < 96; i += 32) s[b][i] = in[k * 96 + i];
      (void)full[b].arrive();
    } else {
      full[b].arrive_and_wait();
      out[k * 96 + t - 32] = s[b][127 - t];
      if (k + 2 < tiles) (void)empty[b].arrive();
    }
  }
}
PROGRAM(loading_warp) {
  const auto in = numbers(96 * 5, 1000);
  Array<int> a(in), out(96 * 5);
  run<<<1, 128>>>(a, out, 5);
  return out.host() == reversed_tiles(in, 96);
}
}  // namespace loading_warp

/// cuda::pipeline with roles: what a stage holds is told by acquire and commit, wait and release.
namespace pipeline_with_roles {
__global__ void run(const int* in, int* out, int tiles) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][64];
  const auto block = cg::this_thread_block();
  const auto role = block.thread_rank() < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  if (role == cuda::pipeline_role::producer) {
    for (int k = 0; k < tiles; ++k) {
      pipe.producer_acquire();
      for (int i = threadIdx.x; i < 64; i += 32) cuda::memcpy_async(&s[k % 2][i], &in[k * 64 + i], sizeof(int), pipe);
      pipe.producer_commit();
    }
  } else {
    for (int k = 0; k < tiles; ++k) {
      pipe.consumer_wait();
      for (int i = threadIdx.x - 32; i < 64; i += 32) out[k * 64 + i] = s[k % 2][63 - i];
      pipe.consumer_release();
    }
  }
}
PROGRAM(pipeline_with_roles) {
  const auto in = numbers(64 * 4, 1000);
  Array<int> a(in), out(64 * 4);
  run<<<1, 64>>>(a, out, 4);
  return out.host() == reversed_tiles(in, 64);
}
}  // namespace pipeline_with_roles

/// A pipeline of each thread for itself, four deep.
namespace pipeline_of_threads {
__global__ void square(const int* in, int* out, int n) {
  __shared__ int s[4][32];
  auto pipe = cuda::make_pipeline();
  const int t = threadIdx.x, steps = n / 32;
  for (int k = 0, ahead = 0; k < steps; ++k) {
    for (; ahead < steps && ahead < k + 4; ++ahead) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[ahead % 4][t], &in[ahead * 32 + t], sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[k * 32 + t] = s[k % 4][t] * s[k % 4][t];
    pipe.consumer_release();
  }
}
PROGRAM(pipeline_of_threads) {
  auto in = numbers(32 * 9, 1000);
  Array<int> a(in), out(32 * 9);
  square<<<1, 32>>>(a, out, 32 * 9);
  for (int& v : in) v *= v;
  return out.host() == in;
}
}  // namespace pipeline_of_threads

/// The whole grid meets; blocks then read what others wrote.
namespace grid_meets {
__global__ void smooth(int* a, int* b, int n) {
  const auto grid = cg::this_grid();
  for (int round = 0; round < 3; ++round) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) b[i] = a[i] + a[(i + 1) % n];
    grid.sync();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) a[i] = b[(i + 7) % n] % 1000;
    grid.sync();
  }
}
PROGRAM(grid_meets) {
  auto wanted = numbers(500, 1000);
  Array<int> a(wanted), b(500);
  int *pa = a, *pb = b, n = 500;
  void* arguments[] = {&pa, &pb, &n};
  CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(smooth), dim3(3), dim3(64), arguments, 0, nullptr));
  for (int round = 0; round < 3; ++round) {
    std::vector<int> next(500);
    for (int i = 0; i < 500; ++i) next[i] = wanted[i] + wanted[(i + 1) % 500];
    for (int i = 0; i < 500; ++i) wanted[i] = next[(i + 7) % 500] % 1000;
  }
  return a.host() == wanted;
}
}  // namespace grid_meets

/// A sum over the grid in one launch: partial sums, a meeting, the rest by block 0.
namespace grid_sum {
__global__ void sum(const int* in, int* partial, int* out, int n) {
  const auto grid = cg::this_grid();
  __shared__ int s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  int mine = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) mine += in[i];
  atomicAdd(&s, mine);
  __syncthreads();
  if (threadIdx.x == 0) partial[blockIdx.x] = s;
  cg::sync(grid);
  if (grid.thread_rank() == 0) {
    int all = 0;
    for (int b = 0; b < gridDim.x; ++b) all += partial[b];
    *out = all;
  }
}
PROGRAM(grid_sum) {
  const auto in = numbers(1000, 1000);
  Array<int> a(in), partial(4), out(1);
  int *pa = a, *pp = partial, *po = out, n = 1000, wanted = 0;
  for (int v : in) wanted += v;
  void* arguments[] = {&pa, &pp, &po, &n};
  CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(sum), dim3(4), dim3(96), arguments, 0, nullptr));
  return out.host()[0] == wanted;
}
}  // namespace grid_sum

/// A latch is counted down by all blocks; the one that waits sees what they did before.
namespace latch_of_blocks {
using Latch = cuda::latch<cuda::thread_scope_device>;
__global__ void make(Latch* latch, int count) { new (latch) Latch(count); }
__global__ void run(Latch* latch, int* parts, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x > 0) {
    parts[blockIdx.x] = blockIdx.x * 10;
    latch->count_down();
    return;
  }
  latch->wait();
  int sum = 0;
  for (int b = 1; b < gridDim.x; ++b) sum += parts[b];
  *out = sum;
}
PROGRAM(latch_of_blocks) {
  Array<char> memory(sizeof(Latch));
  Latch* latch = reinterpret_cast<Latch*>(static_cast<char*>(memory));
  Array<int> parts(6), out(1);
  make<<<1, 1>>>(latch, 5);
  run<<<6, 32>>>(latch, parts, out);
  return out.host()[0] == 150;
}
}  // namespace latch_of_blocks

/// A binary semaphore as a lock between blocks.
namespace semaphore_as_lock {
using Lock = cuda::binary_semaphore<cuda::thread_scope_device>;
__global__ void make(Lock* lock) { new (lock) Lock(1); }
__global__ void run(Lock* lock, int* total) {
  if (threadIdx.x != 0) return;
  lock->acquire();
  *total += blockIdx.x;
  lock->release();
}
PROGRAM(semaphore_as_lock) {
  Array<char> memory(sizeof(Lock));
  Lock* lock = reinterpret_cast<Lock*>(static_cast<char*>(memory));
  Array<int> total(1);
  make<<<1, 1>>>(lock);
  run<<<7, 32>>>(lock, total.zero());
  return total.host()[0] == 21;
}
}  // namespace semaphore_as_lock

/// Named barriers: two groups of warps of a block meet for themselves, and all at the end.
namespace two_parties {
__global__ void run(const int* in, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x, party = t / 64;
  for (int k = 0; k < 2 + party; ++k) {
    s[t] = in[t] + k;
    asm volatile("bar.sync %0, 64;" ::"r"(party + 1) : "memory");
    const int other = s[party * 64 + 63 - t % 64];
    asm volatile("bar.sync %0, 64;" ::"r"(party + 1) : "memory");
    s[t] = other;
  }
  __syncthreads();
  out[t] = s[127 - t];
}
PROGRAM(two_parties) {
  const auto in = numbers(128, 1000);
  Array<int> a(in), out(128);
  run<<<1, 128>>>(a, out);
  const auto got = out.host();
  for (int i = 0; i < 128; ++i) {
    const int t = 127 - i, party = t / 64;
    if (got[i] != in[party * 64 + 63 - t % 64] + 1 + party) return false;
  }
  return true;
}
}  // namespace two_parties
