// Kernels whose results come from their inputs in known ways (origins_test.cpp). Blocks of 64 threads; n is a
// multiple of 64. The PTX beside it: nvcc -ptx -arch=compute_80 -lineinfo, its .file lines without folders.
#include <cuda_pipeline_primitives.h>

constexpr int threads = 64;

extern "C" __global__ void through_tile(const float* in, float* out) {
  __shared__ float tile[threads];
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threads - 1 - threadIdx.x];
}

extern "C" __global__ void beside_tile(const float* in, float* out) {
  __shared__ volatile float tile[threads];
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  const unsigned other = blockIdx.x * threads + threads - 1 - threadIdx.x;
  out[i] = in[other] + 0 * tile[threads - 1 - threadIdx.x];  // <-- past
}

// The same tree over elements that pass the tile, and over sums that were finished before.
extern "C" __global__ void tree(const float* in, float* out) {
  __shared__ float parts[threads];
  parts[threadIdx.x] = in[blockIdx.x * threads + threadIdx.x];
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = parts[0];
}
extern "C" __global__ void finished_before(const float* in, float* out) {
  __shared__ volatile float finished[threads];
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < threads; ++k) sum += in[blockIdx.x * threads + k];
  finished[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = finished[1];
}
// A finished sum that is stored and read again, over and over, is no more than one.
extern "C" __global__ void finished_often(const float* in, float* out) {
  __shared__ volatile float finished[threads];
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < threads; ++k) sum += in[blockIdx.x * threads + k];
#pragma unroll 1
  for (int k = 0; k < threads; ++k) {
    finished[threadIdx.x] = sum;
    sum = (sum + finished[threadIdx.x]) * 0.5f;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
extern "C" __global__ void shared_atomics(const int* in, int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * threads + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
extern "C" __global__ void shuffles(const float* in, float* out) {
  float sum = in[blockIdx.x * threads + threadIdx.x];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x % 32 == 0) out[blockIdx.x * (threads / 32) + threadIdx.x / 32] = sum;
}
// Each lane gets its neighbour's alone.
extern "C" __global__ void shuffled(const float* in, float* out) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  out[i] = __shfl_xor_sync(0xffffffff, in[i], 1) * 2;
}

__constant__ float factors[4];
extern "C" __global__ void constants(const float* in, float* out) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  out[i] = in[i] * factors[0] + factors[1] * factors[2] + factors[3];
}

__device__ __noinline__ double scaled(double x, double y) { return x * 3 + y; }
extern "C" __global__ void called(const double* in, double* out) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  out[i] = scaled(in[i], in[i ^ 1]);
}
extern "C" __global__ void local_array(const float* in, float* out, int turn) {
  float kept[8];
  const unsigned i = blockIdx.x * threads + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < 8; ++k) kept[(k + turn) % 8] = in[(i + k) % threads];
  out[i] = kept[turn % 8];
}
extern "C" __global__ void copied_async(const float4* in, float* out) {
  __shared__ float4 tile[threads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[blockIdx.x * threads + threadIdx.x], sizeof *tile);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] = tile[threads - 1 - threadIdx.x].y;
}
// Only the place depends on the input, not the value.
extern "C" __global__ void addressed(const int* in, int* out) { out[in[threadIdx.x]] = 7; }
// What a thread reads back of its own has gone to nobody through the tile.
extern "C" __global__ void own_word(const float* in, float* out) {
  __shared__ volatile float tile[threads];
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  tile[threadIdx.x] = in[i];
  out[i] = tile[threadIdx.x];
}
// Which element it is depends on another one.
extern "C" __global__ void looked_up(const int* in, int* out) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  out[i] = in[gridDim.x * threads + (in[i] & 1)];
}
// Elements of eight bytes are two words, and one value.
extern "C" __global__ void wide_tree(const double* in, double* out) {
  __shared__ double parts[threads];
  parts[threadIdx.x] = in[blockIdx.x * threads + threadIdx.x];
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = parts[0];
}
extern "C" __global__ void wide_atomics(const unsigned long long* in, unsigned long long* out) {
  __shared__ unsigned long long sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * threads + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
// The second of two launches: what it reads was made by the first.
extern "C" __global__ void doubled(const float* in, float* out) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  out[i] = in[i] * 2;
}

extern "C" __global__ void fetched(cudaTextureObject_t in, float* out) {
  const int i = int(blockIdx.x * threads + threadIdx.x);
  out[i] = tex1Dfetch<float>(in, i) + tex1Dfetch<float>(in, i ^ 1);
}

extern "C" __global__ void filtered(cudaTextureObject_t in, float* out) {
  const int i = int(blockIdx.x * threads + threadIdx.x);
  out[i] = tex1D<float>(in, float(i + 1));
}

extern "C" __global__ void through_surface(cudaSurfaceObject_t in, float* out) {
  const int i = int(blockIdx.x * threads + threadIdx.x);
  surf1Dwrite(2 * surf1Dread<float>(in, i * 4), in, (i + 256) * 4);
  out[i] = surf1Dread<float>(in, (i + 256) * 4);
}
