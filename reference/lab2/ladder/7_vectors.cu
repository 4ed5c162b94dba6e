// vectors: the padded tile, but memory is read and written sixteen bytes at a time: a quarter of the
// requests, and more bytes on their way. The tile is still read and written element by element.

#include "transpose.cuh"

template <class T>
__global__ void transpose_vectors(const T* in, T* out, int n) {
  constexpr int kVector = 16 / sizeof(T), kAcross = ladder::kTile / kVector;
  struct alignas(16) Vector {
    T value[kVector];
  };
  __shared__ T tile[ladder::kTile][ladder::kTile + 1];
  const int thread = threadIdx.y * ladder::kTile + threadIdx.x;
  const int x0 = blockIdx.x * ladder::kTile, y0 = blockIdx.y * ladder::kTile;
  for (int i = thread; i < ladder::kTile * kAcross; i += ladder::kTile * ladder::kRows) {
    const int x = i % kAcross * kVector, y = i / kAcross;
    if (x0 + x < n && y0 + y < n) {
      const Vector vector = *reinterpret_cast<const Vector*>(in + static_cast<size_t>(y0 + y) * n + x0 + x);
#pragma unroll
      for (int e = 0; e < kVector; ++e) tile[y][x + e] = vector.value[e];
    }
  }
  __syncthreads();
  for (int i = thread; i < ladder::kTile * kAcross; i += ladder::kTile * ladder::kRows) {
    const int x = i % kAcross * kVector, y = i / kAcross;
    if (y0 + x < n && x0 + y < n) {
      Vector vector;
#pragma unroll
      for (int e = 0; e < kVector; ++e) vector.value[e] = tile[x + e][y];
      *reinterpret_cast<Vector*>(out + static_cast<size_t>(x0 + y) * n + y0 + x) = vector;
    }
  }
}

struct Rung {
  static constexpr const char* name = "vectors";
  static constexpr bool transposes = true;
  template <class T>
  static void run(dim3 grid, dim3 block, const T* in, T* out, int n) {
    ladder::check(n % 4 == 0 ? cudaSuccess : cudaErrorInvalidValue, "the size must be a multiple of 4");
    transpose_vectors<<<grid, block>>>(in, out, n);
  }
};

LADDER_MAIN(ladder::transpose<Rung>)
