// Mistakes with bulk copies, one by one: the argument says which.

#include <cuda/barrier>
#include <cuda/ptx>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kTile = 256;

__device__ std::uint64_t* native(Barrier& barrier) { return cuda::device::barrier_native_handle(barrier); }

__device__ void make(Barrier& barrier) {
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
}

/// Thread 0 asks for `bytes` and announces `announced`.
__device__ Barrier::arrival_token fetch(int* tile, const int* in, Barrier& barrier, int announced) {
  if (threadIdx.x != 0) return barrier.arrive();
  cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(kTile * sizeof(int)), barrier);
  return cuda::device::barrier_arrive_tx(barrier, 1, announced);
}

__global__ void not_waited(const int* in, int* out) {
  __shared__ alignas(128) int tile[kTile];
  __shared__ Barrier barrier;
  make(barrier);
  const auto token = fetch(tile, in, barrier, sizeof tile);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void other_bytes(const int* in, int* out) {
  __shared__ alignas(128) int tile[kTile];
  __shared__ Barrier barrier;
  make(barrier);
  barrier.wait(fetch(tile, in, barrier, sizeof tile / 2));
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void odd_address(const int* in, int*) {
  __shared__ alignas(128) int tile[kTile];
  __shared__ Barrier barrier;
  make(barrier);
  if (threadIdx.x == 3)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + 1, 64, native(barrier));
}

__global__ void odd_place(const int* in, int*) {
  __shared__ alignas(128) int tile[kTile];
  __shared__ Barrier barrier;
  make(barrier);
  if (threadIdx.x == 3)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile + 2, in, 64, native(barrier));
}

__global__ void odd_size(const int* in, int*) {
  __shared__ alignas(128) int tile[kTile];
  __shared__ Barrier barrier;
  make(barrier);
  if (threadIdx.x == 3)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, 20, native(barrier));
}

__global__ void beyond_global(const int* in, int*) {
  __shared__ alignas(128) int tile[2 * kTile];
  __shared__ Barrier barrier;
  make(barrier);
  if (threadIdx.x == 3)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + 4, kTile * 4, native(barrier));
}

__global__ void beyond_shared(const int*, int* out) {
  __shared__ alignas(128) int tile[kTile];
  tile[threadIdx.x] = 3;
  __syncthreads();
  if (threadIdx.x == 3) ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile + kTile - 8, 64);
}

__global__ void never_made(const int* in, int*) {
  __shared__ alignas(128) int tile[kTile];
  __shared__ Barrier barrier;
  if (threadIdx.x == 3)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, 64, native(barrier));
}

__global__ void used_again(const int*, int* out) {
  __shared__ alignas(128) int tile[kTile];
  tile[threadIdx.x] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);
    ptx::cp_async_bulk_commit_group();
  }
  __syncthreads();
  tile[threadIdx.x] = 2;
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

__global__ void not_together(const int*, int* out) {
  __shared__ alignas(128) int tile[kTile];
  tile[threadIdx.x] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

__global__ void __cluster_dims__(2, 1, 1) in_clusters(const int*, int* out) { out[threadIdx.x] = 1; }

int main(int, char** arguments) {
  using Kernel = void (*)(const int*, int*);
  const Kernel kernels[] = {not_waited,    other_bytes,   odd_address, odd_place,  odd_size,    beyond_global,
                            beyond_shared, never_made,    used_again,  not_together, in_clusters};
  int *in, *out;
  cudaMalloc(&in, kTile * sizeof(int));
  cudaMalloc(&out, kTile * sizeof(int));
  cudaMemset(in, 1, kTile * sizeof(int));
  cudaMemset(out, 1, kTile * sizeof(int));
  const Kernel kernel = kernels[std::atoi(arguments[1])];
  kernel<<<kernel == in_clusters ? 2 : 1, kTile>>>(in, out);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
