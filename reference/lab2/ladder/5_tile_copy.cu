// tile-copy: a copy through the tile: what the detour through shared memory costs by itself.

#include "transpose.cuh"

template <class T>
__global__ void copy_tile(const T* in, T* out, int n) {
  __shared__ T tile[ladder::kTile][ladder::kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * ladder::kTile + tx, y = blockIdx.y * ladder::kTile + ty;
  for (int row = 0; row < ladder::kTile; row += ladder::kRows) {
    if (x < n && y + row < n) tile[ty + row][tx] = in[(y + row) * n + x];
  }
  __syncthreads();
  for (int row = 0; row < ladder::kTile; row += ladder::kRows) {
    if (x < n && y + row < n) out[(y + row) * n + x] = tile[ty + row][tx];
  }
}

struct Rung {
  static constexpr const char* name = "tile-copy";
  static constexpr bool transposes = false;
  template <class T>
  static void run(dim3 grid, dim3 block, const T* in, T* out, int n) {
    copy_tile<<<grid, block>>>(in, out, n);
  }
};

LADDER_MAIN(ladder::transpose<Rung>)
