// nbody tiles: the bodies are shared out among blocks, too, so that few points fill a card; atomic operations add up.
// A large tile, in dynamic shared memory.
#include "contract.cuh"

constexpr int block_size = 128;
constexpr int share = 500;  // bodies of a block

__device__ float3 attracted(float4 a, float4 b) {
  const float3 d = make_float3(b.x - a.x, b.y - a.y, b.z - a.z);
  const float s = d.x * d.x + d.y * d.y + d.z * d.z + softening;
  const float factor = b.w * rsqrtf(s) / s;
  return make_float3(d.x * factor, d.y * factor, d.z * factor);
}

__device__ void add(float4* to, float3 sum) {
  atomicAdd(&to->x, sum.x);
  atomicAdd(&to->y, sum.y);
  atomicAdd(&to->z, sum.z);
}

__global__ void global_kernel(const float4* points, const float4* bodies, float4* acceleration, int n,
                              int m) {
  const int i = static_cast<int>(blockIdx.x) * block_size + static_cast<int>(threadIdx.x);
  const int end = min(m, (static_cast<int>(blockIdx.y) + 1) * share);
  if (i >= n) return;
  float3 sum = make_float3(0, 0, 0);
  for (int j = static_cast<int>(blockIdx.y) * share; j < end; ++j) {
    const float3 more = attracted(points[i], bodies[j]);
    sum.x += more.x, sum.y += more.y, sum.z += more.z;
  }
  add(&acceleration[i], sum);
}

__global__ void tiles_kernel(const float4* points, const float4* bodies, float4* acceleration, int n, int m) {
  extern __shared__ float4 tile[];
  const int i = static_cast<int>(blockIdx.x) * block_size + static_cast<int>(threadIdx.x);
  const int begin = static_cast<int>(blockIdx.y) * share, count = min(share, m - begin);
  for (int k = static_cast<int>(threadIdx.x); k < count; k += block_size) tile[k] = bodies[begin + k];
  __syncthreads();
  if (i >= n) return;
  const float4 mine = points[i];
  float3 sum = make_float3(0, 0, 0);
  for (int k = 0; k < count; ++k) {
    const float3 more = attracted(mine, tile[k]);
    sum.x += more.x, sum.y += more.y, sum.z += more.z;
  }
  add(&acceleration[i], sum);
}

void nbody_global(const float4* points, const float4* bodies, float4* acceleration, int n, int m) {
  if (n == 0) return;
  cudaMemset(acceleration, 0, static_cast<size_t>(n) * sizeof *acceleration);
  if (m == 0) return;
  const dim3 grid((n - 1) / block_size + 1, (m - 1) / share + 1);
  global_kernel<<<grid, block_size>>>(points, bodies, acceleration, n, m);
}

void nbody_tiles(const float4* points, const float4* bodies, float4* acceleration, int n, int m) {
  if (n == 0) return;
  cudaMemset(acceleration, 0, static_cast<size_t>(n) * sizeof *acceleration);
  if (m == 0) return;
  const dim3 grid((n - 1) / block_size + 1, (m - 1) / share + 1);
  tiles_kernel<<<grid, block_size, share * sizeof(float4)>>>(points, bodies, acceleration, n, m);
}
