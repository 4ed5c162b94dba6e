// nbody tiles: several lanes a point, each of which takes every eighth body; shuffles add up in the end.
#include "contract.cuh"

constexpr int lanes = 8;
constexpr int points_each = 16;  // of a block
constexpr int tile_size = 256;
constexpr unsigned all_lanes = 0xffffffffu;

__device__ float4 attracted(float4 sum, float4 a, float4 b) {
  const float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
  const float s = x * x + y * y + z * z + softening;
  const float factor = b.w / (s * sqrtf(s));
  return make_float4(sum.x + x * factor, sum.y + y * factor, sum.z + z * factor, 0);
}

__device__ float4 sum_of_lanes(float4 sum) {
  for (int mask = lanes / 2; mask > 0; mask /= 2) {
    sum.x += __shfl_xor_sync(all_lanes, sum.x, mask);
    sum.y += __shfl_xor_sync(all_lanes, sum.y, mask);
    sum.z += __shfl_xor_sync(all_lanes, sum.z, mask);
  }
  return sum;
}

__global__ void global_kernel(const float4* points, const float4* bodies, float4* acceleration, int n,
                              int m) {
  const int lane = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) * points_each + static_cast<int>(threadIdx.y);
  const float4 mine = points[min(i, n - 1)];
  float4 sum = make_float4(0, 0, 0, 0);
  for (int j = lane; j < m; j += lanes) sum = attracted(sum, mine, bodies[j]);
  sum = sum_of_lanes(sum);
  if (lane == 0 && i < n) acceleration[i] = sum;
}

__global__ void tiles_kernel(const float4* points, const float4* bodies, float4* acceleration, int n, int m) {
  __shared__ float4 tile[tile_size];
  const int lane = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) * points_each + static_cast<int>(threadIdx.y);
  const float4 mine = points[min(i, n - 1)];
  float4 sum = make_float4(0, 0, 0, 0);
  for (int begin = 0; begin < m; begin += tile_size) {
    const int count = min(tile_size, m - begin);
    for (int k = static_cast<int>(threadIdx.y) * lanes + lane; k < count; k += lanes * points_each)
      tile[k] = bodies[begin + k];
    __syncthreads();
    for (int k = lane; k < count; k += lanes) sum = attracted(sum, mine, tile[k]);
    __syncthreads();
  }
  sum = sum_of_lanes(sum);
  if (lane == 0 && i < n) acceleration[i] = sum;
}

static int blocks_for(int n) { return (n - 1) / points_each + 1; }

void nbody_global(const float4* points, const float4* bodies, float4* acceleration, int n, int m) {
  if (n > 0) global_kernel<<<blocks_for(n), dim3(lanes, points_each)>>>(points, bodies, acceleration, n, m);
}

void nbody_tiles(const float4* points, const float4* bodies, float4* acceleration, int n, int m) {
  if (n > 0) tiles_kernel<<<blocks_for(n), dim3(lanes, points_each)>>>(points, bodies, acceleration, n, m);
}
