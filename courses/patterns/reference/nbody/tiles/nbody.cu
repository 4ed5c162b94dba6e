// nbody tiles, the reference solution: what all bodies do to each point, twice.
#include "contract.cuh"

#include <cstdio>
#include <cstdlib>

// A launch reports nothing by itself: ask, or a wrong configuration goes unseen.
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

constexpr int block_size = 128;

static int blocks_for(int count) { return (count - 1) / block_size + 1; }

// What body b adds to the acceleration at point a. One load brings a whole body: a float4 is 16 bytes.
__device__ float4 attracted(float4 sum, const float4& a, const float4& b) {
  const float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
  const float inverse = rsqrtf(x * x + y * y + z * z + softening);
  const float factor = b.w * (inverse * inverse * inverse);
  return make_float4(sum.x + x * factor, sum.y + y * factor, sum.z + z * factor, 0);
}

// Every thread reads all bodies. The lanes of a warp read the same one at a time.
__global__ void nbody_global_kernel(const float4* points, const float4* bodies, float4* acceleration, int n,
                                    int m) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const float4 mine = points[i];
  float4 sum = make_float4(0, 0, 0, 0);
  for (int j = 0; j < m; ++j) sum = attracted(sum, mine, bodies[j]);
  acceleration[i] = sum;
}

void nbody_global(const float4* points, const float4* bodies, float4* acceleration, int n, int m) {
  if (n == 0) return;  // a grid must not be empty
  nbody_global_kernel<<<blocks_for(n), block_size>>>(points, bodies, acceleration, n, m);
  CHECK(cudaGetLastError());
}

// A block reads each body once, a tile at a time. A thread without a point of its own helps to load, and computes what
// nobody writes. Past the last body stands one without mass, which attracts nobody.
__global__ void nbody_tiles_kernel(const float4* points, const float4* bodies, float4* acceleration, int n,
                                   int m) {
  __shared__ float4 tile[block_size];
  const int t = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) * block_size + t;
  const float4 nobody = make_float4(0, 0, 0, 0);
  const float4 mine = i < n ? points[i] : nobody;
  float4 sum = nobody;
  for (int begin = 0; begin < m; begin += block_size) {
    tile[t] = begin + t < m ? bodies[begin + t] : nobody;
    __syncthreads();  // the tile is complete
    for (int k = 0; k < block_size; ++k) sum = attracted(sum, mine, tile[k]);
    __syncthreads();  // nobody reads it any more
  }
  if (i < n) acceleration[i] = sum;
}

void nbody_tiles(const float4* points, const float4* bodies, float4* acceleration, int n, int m) {
  if (n == 0) return;
  nbody_tiles_kernel<<<blocks_for(n), block_size>>>(points, bodies, acceleration, n, m);
  CHECK(cudaGetLastError());
}
