// What compute capability 9.0 has for copies beside the threads: cp.async.bulk by cuda::memcpy_async,
// cuda::device::memcpy_async_tx and cuda::ptx, barriers that count bytes, and clusters of one block.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdint>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <vector>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kTile = 256, kTiles = 6, kAll = kTile * kTiles;

__device__ std::uint64_t* native(Barrier& barrier) { return cuda::device::barrier_native_handle(barrier); }

/// One thread asks for a tile and says how many bytes come.
__global__ void by_transaction(const int* in, int* out) {
  __shared__ alignas(128) int tile[kTile];
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  for (int t = 0; t < kTiles; ++t) {
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
      cuda::device::memcpy_async_tx(tile, in + t * kTile, cuda::aligned_size_t<16>(sizeof tile), barrier);
      token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
    } else {
      token = barrier.arrive();
    }
    barrier.wait(std::move(token));
    out[t * kTile + threadIdx.x] = tile[threadIdx.x] + 1;
    __syncthreads();
  }
}

/// The group's copy becomes a bulk one where the sizes allow it.
__global__ void by_group(const int* in, int* out) {
  __shared__ alignas(128) int tile[2][kTile];
  __shared__ Barrier barrier;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  for (int t = 0; t < kTiles; t += 2) {
    cuda::memcpy_async(block, tile[0], in + t * kTile, cuda::aligned_size_t<16>(sizeof tile), barrier);
    barrier.arrive_and_wait();
    for (int k = 0; k < 2; ++k) out[(t + k) * kTile + threadIdx.x] = tile[k][threadIdx.x] + 1;
    block.sync();
  }
}

__global__ void by_pipeline(const int* in, int* out) {
  __shared__ alignas(128) int tile[2][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const auto fetch = [&](int t) {
    pipeline.producer_acquire();
    cuda::memcpy_async(block, tile[t % 2], in + t * kTile, cuda::aligned_size_t<16>(sizeof tile[0]), pipeline);
    pipeline.producer_commit();
  };
  fetch(0);
  for (int t = 0; t < kTiles; ++t) {
    if (t + 1 < kTiles) fetch(t + 1);
    pipeline.consumer_wait();
    out[t * kTile + threadIdx.x] = tile[t % 2][threadIdx.x] + 1;
    pipeline.consumer_release();
  }
}

/// A warp fetches into a ring of three tiles, the others empty it: a barrier of each kind for each tile.
__global__ void ring(const int* in, int* out) {
  constexpr int kStages = 3;
  extern __shared__ __align__(128) int tiles[];
  __shared__ std::uint64_t full[kStages], empty[kStages];
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      ptx::mbarrier_init(&full[s], 1);
      ptx::mbarrier_init(&empty[s], kTile);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (threadIdx.x >= kTile) {
    std::uint32_t chosen;
    asm volatile("{.reg .pred p; elect.sync _|p, 0xFFFFFFFF; selp.u32 %0, 1, 0, p;}" : "=r"(chosen));
    if (chosen == 0) return;
    for (int t = 0; t < kTiles; ++t) {
      const int s = t % kStages, round = t / kStages;
      while (round > 0 && !ptx::mbarrier_try_wait_parity(&empty[s], (round - 1) & 1)) {
      }
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s],
                                     kTile * sizeof(int));
      for (int half = 0; half < 2; ++half)
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tiles + s * kTile + half * kTile / 2,
                           in + t * kTile + half * kTile / 2, kTile / 2 * sizeof(int), &full[s]);
    }
    return;
  }
  for (int t = 0; t < kTiles; ++t) {
    const int s = t % kStages, parity = t / kStages & 1;
    while (!ptx::mbarrier_test_wait_parity(ptx::sem_acquire, ptx::scope_cta, &full[s], parity)) {
    }
    out[t * kTile + threadIdx.x] = tiles[s * kTile + threadIdx.x] + 1;
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &empty[s]);
  }
}

/// From shared memory to global memory, two groups at a time.
__global__ void back(const int* in, int* out) {
  __shared__ alignas(128) int tile[2][kTile];
  for (int t = 0; t < kTiles; ++t) {
    if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
    __syncthreads();
    tile[t % 2][threadIdx.x] = in[t * kTile + threadIdx.x] + 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + t * kTile, tile[t % 2], sizeof tile[0]);
      ptx::cp_async_bulk_commit_group();
    }
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

/// Within a cluster of one block: its own memory is the cluster's.
__global__ void __cluster_dims__(1, 1, 1) alone(const int* in, int* out) {
  __shared__ alignas(128) int tile[kTile], twin[kTile];
  __shared__ std::uint64_t barrier;
  const auto cluster = cg::this_cluster();
  tile[threadIdx.x] = in[blockIdx.x * kTile + threadIdx.x];
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  ptx::fence_proxy_async(ptx::space_shared);
  cluster.sync();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &barrier,
                                   sizeof tile);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, twin, tile, sizeof tile, &barrier);
  }
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &barrier, 0)) {
  }
  const int* const mapped = cluster.map_shared_rank(twin, cluster.block_rank());
  const bool right = cluster.num_blocks() == 1 && cluster.query_shared_rank(twin) == 0;
  out[blockIdx.x * kTile + threadIdx.x] = mapped[threadIdx.x] + (right ? 1 : 2);
}

/// A barrier that loses one of its threads, which announces bytes as it goes.
__global__ void dropped(const int* in, int* out) {
  __shared__ alignas(128) int tile[kTile];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, kTile);
  __syncthreads();
  const auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
  for (int t = 0; t < kTiles; ++t) {
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + t * kTile, sizeof tile, &barrier);
      if (t == 0)
        asm volatile("mbarrier.arrive_drop.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(at),
                     "r"(static_cast<std::uint32_t>(sizeof tile))
                     : "memory");
      else
        ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &barrier, sizeof tile);
    }
    __syncthreads();
    if (threadIdx.x != 0) ptx::mbarrier_arrive(&barrier);
    while (!ptx::mbarrier_try_wait_parity(&barrier, t & 1)) {
    }
    out[t * kTile + threadIdx.x] = tile[threadIdx.x] + 1;
    __syncthreads();
  }
}

template <class Launch>
void check(const char* name, Launch launch) {
  std::vector<int> given(kAll), got(kAll);
  for (int i = 0; i < kAll; ++i) given[i] = i * 7 + 3;
  int *in, *out;
  cudaMalloc(&in, sizeof(int) * kAll);
  cudaMalloc(&out, sizeof(int) * kAll);
  cudaMemcpy(in, given.data(), sizeof(int) * kAll, cudaMemcpyHostToDevice);
  launch(in, out);
  const cudaError_t status = cudaMemcpy(got.data(), out, sizeof(int) * kAll, cudaMemcpyDeviceToHost);
  int right = 0;
  for (int i = 0; i < kAll; ++i) right += got[i] == given[i] + 1;
  std::printf("%s: %s, %d of %d right\n", name, cudaGetErrorName(status), right, kAll);
  cudaFree(in);
  cudaFree(out);
}

int main() {
  check("by_transaction", [](int* in, int* out) { by_transaction<<<1, kTile>>>(in, out); });
  check("by_group", [](int* in, int* out) { by_group<<<1, kTile>>>(in, out); });
  check("by_pipeline", [](int* in, int* out) { by_pipeline<<<1, kTile>>>(in, out); });
  check("ring", [](int* in, int* out) {
    constexpr int kBytes = 220 * 1024;  // more than compute capability 8.0 has
    cudaFuncSetAttribute(ring, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
    ring<<<1, kTile + 32, kBytes>>>(in, out);
  });
  check("back", [](int* in, int* out) { back<<<1, kTile>>>(in, out); });
  check("alone", [](int* in, int* out) { alone<<<kTiles, kTile>>>(in, out); });
  check("dropped", [](int* in, int* out) { dropped<<<1, kTile>>>(in, out); });
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  std::printf("compute capability %d.%d, %zu bytes of shared memory\n", properties.major, properties.minor,
              properties.sharedMemPerBlockOptin);
}
