// tile-padded: the same with rows of the tile one element longer: a column lies in 32 different banks.

#include "transpose.cuh"

template <class T>
__global__ void transpose_padded(const T* in, T* out, int n) {
  __shared__ T tile[ladder::kTile][ladder::kTile + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * ladder::kTile + tx, y = blockIdx.y * ladder::kTile + ty;
  for (int row = 0; row < ladder::kTile; row += ladder::kRows) {
    if (x < n && y + row < n) tile[ty + row][tx] = in[(y + row) * n + x];
  }
  __syncthreads();
  const int to_x = blockIdx.y * ladder::kTile + tx, to_y = blockIdx.x * ladder::kTile + ty;
  for (int row = 0; row < ladder::kTile; row += ladder::kRows) {
    if (to_x < n && to_y + row < n) out[(to_y + row) * n + to_x] = tile[tx][ty + row];
  }
}

struct Rung {
  static constexpr const char* name = "tile-padded";
  static constexpr bool transposes = true;
  template <class T>
  static void run(dim3 grid, dim3 block, const T* in, T* out, int n) {
    transpose_padded<<<grid, block>>>(in, out, n);
  }
};

LADDER_MAIN(ladder::transpose<Rung>)
