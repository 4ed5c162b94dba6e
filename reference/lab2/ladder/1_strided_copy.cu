// Strided reads and writes: a copy whose neighbouring threads stand a whole row apart, on both sides.

#include "transpose.cuh"

template <class T>
__global__ void copy_strided(const T* in, T* out, int n) {
  const int x = blockIdx.x * ladder::kTile + threadIdx.x, y = blockIdx.y * ladder::kTile + threadIdx.y;
  for (int row = 0; row < ladder::kTile; row += ladder::kRows) {
    if (x < n && y + row < n) out[x * n + y + row] = in[x * n + y + row];
  }
}

struct Rung {
  static constexpr const char* name = "strided-copy";
  static constexpr bool transposes = false;
  template <class T>
  static void run(dim3 grid, dim3 block, const T* in, T* out, int n) {
    copy_strided<<<grid, block>>>(in, out, n);
  }
};

LADDER_MAIN(ladder::transpose<Rung>)
