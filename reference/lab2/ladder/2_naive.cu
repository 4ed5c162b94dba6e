// naive: a warp reads a row and writes a column; each of its 32 elements goes to a sector of its own.

#include "transpose.cuh"

template <class T>
__global__ void transpose_naive(const T* in, T* out, int n) {
  const int x = blockIdx.x * ladder::kTile + threadIdx.x, y = blockIdx.y * ladder::kTile + threadIdx.y;
  for (int row = 0; row < ladder::kTile; row += ladder::kRows) {
    if (x < n && y + row < n) out[x * n + y + row] = in[(y + row) * n + x];
  }
}

struct Rung {
  static constexpr const char* name = "naive";
  static constexpr bool transposes = true;
  template <class T>
  static void run(dim3 grid, dim3 block, const T* in, T* out, int n) {
    transpose_naive<<<grid, block>>>(in, out, n);
  }
};

LADDER_MAIN(ladder::transpose<Rung>)
