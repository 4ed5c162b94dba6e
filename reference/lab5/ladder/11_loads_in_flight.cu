// Beyond the course: every thread starts four loads of sixteen bytes before it uses the first. What limits a
// sum is how many bytes are on their way at a time, not the additions. At most 1024 blocks.

#include "reduction.cuh"

template <class T>
struct alignas(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) Four {
  T x, y, z, w;
};

template <class T>
__device__ T sum_of_warp(T sum) {
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, distance);
  return sum;
}

template <class T>
__global__ void sum_in_flight(const T* in, T* out, int n) {
  constexpr int kLoads = 4;
  __shared__ T of_warps[32];
  const int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  const bool aligned = reinterpret_cast<size_t>(in) % sizeof(Four<T>) == 0;
  const int fours = aligned ? n / 4 : 0;
  T sum = 0;
  int i = first;
  for (; i + (kLoads - 1) * stride < fours; i += kLoads * stride) {
    Four<T> four[kLoads];
#pragma unroll
    for (int load = 0; load < kLoads; ++load)
      four[load] = reinterpret_cast<const Four<T>*>(in)[i + load * stride];
#pragma unroll
    for (int load = 0; load < kLoads; ++load) {
      sum += (four[load].x + four[load].y) + (four[load].z + four[load].w);
    }
  }
  for (; i < fours; i += stride) {
    const Four<T> four = reinterpret_cast<const Four<T>*>(in)[i];
    sum += (four.x + four.y) + (four.z + four.w);
  }
  for (i = fours * 4 + first; i < n; i += stride) sum += in[i];
  sum = sum_of_warp(sum);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = sum_of_warp(threadIdx.x < blockDim.x / 32 ? of_warps[threadIdx.x] : T(0));
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}

struct Rung {
  static constexpr const char* name = "loads-in-flight";
  static constexpr bool finish_on_cpu = false;
  static int elements(int n) {
    constexpr int kBlock = 16 * ladder::kThreads;
    return n > kBlock * 1024 ? (n + 1023) / 1024 : kBlock;
  }
  template <class T>
  static void pass(const T* in, T* out, int n, int blocks) {
    sum_in_flight<<<blocks, ladder::kThreads>>>(in, out, n);
  }
};

LADDER_MAIN(ladder::reduction<Rung>)
