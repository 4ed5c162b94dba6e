// nbody tiles: several points a thread, so that a body that has been read serves all of them; components in arrays of
// their own in shared memory.
#include "contract.cuh"

constexpr int block_size = 64;
constexpr int each = 2;  // points of a thread

__device__ void attract(float4& sum, float4 a, float x, float y, float z, float mass) {
  x -= a.x, y -= a.y, z -= a.z;
  const float s = fmaf(x, x, fmaf(y, y, fmaf(z, z, softening)));
  const float factor = mass / (s * sqrtf(s));
  sum.x = fmaf(x, factor, sum.x);
  sum.y = fmaf(y, factor, sum.y);
  sum.z = fmaf(z, factor, sum.z);
}

__global__ void global_kernel(const float4* points, const float4* bodies, float4* acceleration, int n,
                              int m) {
  const int step = static_cast<int>(gridDim.x) * block_size;
  const int i = static_cast<int>(blockIdx.x) * block_size + static_cast<int>(threadIdx.x);
  float4 sums[each] = {}, mine[each] = {};
  for (int p = 0; p < each; ++p)
    if (i + p * step < n) mine[p] = points[i + p * step];
  for (int j = 0; j < m; ++j) {
    const float4 b = __ldg(&bodies[j]);
    for (int p = 0; p < each; ++p) attract(sums[p], mine[p], b.x, b.y, b.z, b.w);
  }
  for (int p = 0; p < each; ++p)
    if (i + p * step < n) acceleration[i + p * step] = sums[p];
}

__global__ void tiles_kernel(const float4* points, const float4* bodies, float4* acceleration, int n, int m) {
  __shared__ float x[block_size], y[block_size], z[block_size], mass[block_size];
  const int t = static_cast<int>(threadIdx.x), step = static_cast<int>(gridDim.x) * block_size;
  const int i = static_cast<int>(blockIdx.x) * block_size + t;
  float4 sums[each] = {}, mine[each] = {};
  for (int p = 0; p < each; ++p)
    if (i + p * step < n) mine[p] = points[i + p * step];
  for (int begin = 0; begin < m; begin += block_size) {
    const int count = min(block_size, m - begin);
    if (t < count) {
      const float4 b = bodies[begin + t];
      x[t] = b.x, y[t] = b.y, z[t] = b.z, mass[t] = b.w;
    }
    __syncthreads();
    for (int k = 0; k < count; ++k)
      for (int p = 0; p < each; ++p) attract(sums[p], mine[p], x[k], y[k], z[k], mass[k]);
    __syncthreads();
  }
  for (int p = 0; p < each; ++p)
    if (i + p * step < n) acceleration[i + p * step] = sums[p];
}

static int blocks_for(int n) { return (n - 1) / (block_size * each) + 1; }

void nbody_global(const float4* points, const float4* bodies, float4* acceleration, int n, int m) {
  if (n > 0) global_kernel<<<blocks_for(n), block_size>>>(points, bodies, acceleration, n, m);
}

void nbody_tiles(const float4* points, const float4* bodies, float4* acceleration, int n, int m) {
  if (n > 0) tiles_kernel<<<blocks_for(n), block_size>>>(points, bodies, acceleration, n, m);
}
