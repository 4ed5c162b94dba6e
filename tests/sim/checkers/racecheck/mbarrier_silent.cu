// Barriers in shared memory (cuda::barrier, cuda::pipeline) order what stands before arriving and after waiting.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kThreads = 128;

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void two_steps(int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[kThreads];
  if (threadIdx.x == 0) init(&barrier, kThreads);
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    tile[threadIdx.x] = i * threadIdx.x;
    barrier.arrive_and_wait();
    sum += tile[kThreads - 1 - threadIdx.x];
    auto token = barrier.arrive();
    out[threadIdx.x] = sum;
    barrier.wait(std::move(token));
  }
}

/// Two warps write, two read; each side waits for the other.
__global__ void producer_consumer(int* out) {
  __shared__ Barrier full, empty;
  __shared__ int tile[kThreads / 2];
  if (threadIdx.x == 0) {
    init(&full, kThreads);
    init(&empty, kThreads);
  }
  __syncthreads();
  const int half = threadIdx.x % (kThreads / 2);
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x < kThreads / 2) {
      if (i > 0) empty.arrive_and_wait();
      tile[half] = i + half;
      (void)full.arrive();
    } else {
      full.arrive_and_wait();
      sum += tile[kThreads / 2 - 1 - half];
      if (i < 3) (void)empty.arrive();
    }
  }
  out[threadIdx.x] = sum;
}

__global__ void copies(const int* in, int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[kThreads];
  if (threadIdx.x == 0) init(&barrier, kThreads);
  __syncthreads();
  cuda::memcpy_async(cg::this_thread_block(), tile, in, sizeof tile, barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

__global__ void stages(const int* in, int* out, int batches) {
  constexpr int kStages = 2;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ int tile[kStages][kThreads];
  auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int batch = 0, fetched = 0; batch < batches; ++batch) {
    for (; fetched < batches && fetched < batch + kStages; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, tile[fetched % kStages], in + fetched * kThreads,
                         cuda::aligned_size_t<4>(sizeof tile[0]), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += tile[batch % kStages][kThreads - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 4 * kThreads * sizeof(int));
  cudaMalloc(&out, kThreads * sizeof(int));
  cudaMemset(in, 0, 4 * kThreads * sizeof(int));
  two_steps<<<1, kThreads>>>(out);
  producer_consumer<<<1, kThreads>>>(out);
  copies<<<1, kThreads>>>(in, out);
  stages<<<1, kThreads>>>(in, out, 4);
  cudaFree(in);
  cudaFree(out);
  return cudaDeviceSynchronize();
}
