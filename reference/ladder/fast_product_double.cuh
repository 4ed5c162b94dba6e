#pragma once
// The fastest product of double matrices that we know: c = a b on the tensor cores, which multiply and add
// doubles with a single rounding as the ordinary units do. The last rung of the ladder of products and
// bench/gpu use it.
//
// The instruction wants pairs of neighbours: two rows of its first matrix, two steps of the inner dimension
// of its second. Row-major b has its columns side by side and row-major a the inner dimension. So c is
// computed transposed, cT = bT aT, and one read of 16 bytes from shared memory brings two operands into the
// registers where they are needed.

#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include "tile_copy.cuh"

namespace fast {

/// d += a b for a warp: 16 x 8 elements, inner dimension 16. g = lane / 4, t = lane % 4; the lane holds of a
/// the elements (g, t + 4 i) and (g + 8, t + 4 i), i < 4, of b (t + 4 i, g), of d (g, 2 t), (g, 2 t + 1), (g
/// + 8, 2 t), (g + 8, 2 t + 1).
__device__ inline void multiply_16x8x16(double (&d)[4], const double (&a)[8], const double (&b)[4]) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, "
      "%11}, "
      "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
        "d"(b[1]), "d"(b[2]), "d"(b[3]));
#else
#pragma unroll
  for (int i = 0; i < 8; ++i) {  // compute capability 8.0 has the 8 x 8 x 4 part of it only
    const int half = i % 2;
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(d[2 * half]), "+d"(d[2 * half + 1])
        : "d"(a[i]), "d"(b[i / 2]));
  }
#endif
}

/// A block makes kBlockM x kBlockN elements of c, kBlockK of the inner dimension at a time; it holds kStages
/// such tiles of a and b. kWarpsM x kWarpsN warps share the tile of c. kMinBlocks blocks fit a
/// multiprocessor.
template <int kBlockM_, int kBlockN_, int kBlockK_, int kWarpsM_, int kWarpsN_, int kStages_, int kMinBlocks_>
struct DoubleTiling {
  static constexpr int kBlockM = kBlockM_, kBlockN = kBlockN_, kBlockK = kBlockK_, kWarpsM = kWarpsM_,
                       kWarpsN = kWarpsN_;
  static constexpr int kStages = kStages_, kMinBlocks = kMinBlocks_, kThreads = kWarpsM * kWarpsN * 32;
  static constexpr int kWarpM = kBlockM / kWarpsM, kWarpN = kBlockN / kWarpsN;
  static_assert(kWarpM % 8 == 0 && kWarpN % 16 == 0 && kBlockK % 16 == 0);
  // Rows 2 t of b, t < 4, begin 32 bytes apart modulo 128.
  static constexpr int kPitchB = kBlockN + 2;
  static constexpr int kStage = kBlockM * kBlockK + kBlockK * kPitchB;  ///< doubles
  static constexpr int kSharedBytes = 8 * kStages * kStage;
};

/// Where the 16-byte chunk number `chunk` of row `row` of a's tile lies: neighbouring rows have their halves
/// of 64 bytes swapped, so that four lanes of the one and four of the other do not meet in a bank.
template <int kBlockK>
__device__ int place_of_a(int row, int chunk) {
  return row * kBlockK + (chunk ^ (row % 2 * 4)) * 2;
}

/// c (m x n) = a (m x k) times b (k x n), row-major. kVector = 2 wants n and k to be even and all three to be
/// 16-byte aligned.
template <class Tile, int kVector>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kMinBlocks)
    product_double(const double* a, const double* b, double* c, int m, int n, int k) {
  constexpr int kTilesM = Tile::kWarpM / 8, kTilesN = Tile::kWarpN / 16, kDepth = Tile::kBlockK / 16;
  extern __shared__ double2 shared_doubles[];
  double* const shared = reinterpret_cast<double*>(shared_doubles);

  const int tiles_m = (m + Tile::kBlockM - 1) / Tile::kBlockM,
            tiles_n = (n + Tile::kBlockN - 1) / Tile::kBlockN;
  constexpr int kGroup = 8;  // blocks that run at the same time form a compact patch of c
  const int block = static_cast<int>(blockIdx.x);
  const int group = block / (kGroup * tiles_n), height = min(kGroup, tiles_m - group * kGroup);
  const int within = block - group * kGroup * tiles_n;
  const int m0 = (group * kGroup + within % height) * Tile::kBlockM, n0 = within / height * Tile::kBlockN;
  const int rows = m - m0, columns = n - n0;

  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const int g = lane / 4, t = lane % 4;
  const int warp_m = warp % Tile::kWarpsM * Tile::kWarpM, warp_n = warp / Tile::kWarpsM * Tile::kWarpN;

  using CopyA = TileCopy<double, Tile::kBlockM, Tile::kBlockK, Tile::kThreads, kVector>;
  using CopyB = TileCopy<double, Tile::kBlockK, Tile::kBlockN, Tile::kThreads, kVector>;
  CopyA copy_a(a + static_cast<size_t>(m0) * k, static_cast<size_t>(k), Tile::kBlockK);
  CopyB copy_b(b + n0, static_cast<size_t>(n), static_cast<size_t>(Tile::kBlockK) * n);
  const int place_in_a = place_of_a<Tile::kBlockK>(CopyA::row(), CopyA::column() / 2) + CopyA::column() % 2;
  const int place_in_b = Tile::kBlockM * Tile::kBlockK + CopyB::row() * Tile::kPitchB + CopyB::column();
  const bool whole = rows >= Tile::kBlockM && columns >= Tile::kBlockN;
  int left = k;    // of the inner dimension, not yet asked for
  int filled = 0;  // the next stage to be filled
  const auto copy = [&] {
    double* const to = shared + filled * Tile::kStage;
    const auto start = [&](auto is_whole) {
      constexpr bool kWhole = decltype(is_whole)::value;
      copy_a.template start<kWhole>(to + place_in_a, Tile::kBlockK, rows, left);
      copy_b.template start<kWhole>(to + place_in_b, Tile::kPitchB, left, columns);
    };
    if (whole && left >= Tile::kBlockK) {
      start(std::true_type{});
    } else if (left > 0) {
      start(std::false_type{});
    }
    __pipeline_commit();
    left -= Tile::kBlockK;
    filled = filled + 1 == Tile::kStages ? 0 : filled + 1;
  };

  // The order of the inner dimension is free as long as a and b agree: of eight, a lane takes elements 2 t
  // and 2 t + 1 as its elements t and t + 4. Likewise rows g and g + 8 of a tile of bT are columns 2 g and 2
  // g + 1 of b.
  double sum[kTilesN][kTilesM][4] = {};
  alignas(16) double of_b[2][kTilesN][8], of_a[2][kTilesM][4];
  const int first_half = place_of_a<Tile::kBlockK>(warp_m + g, t),
            second_half = place_of_a<Tile::kBlockK>(warp_m + g, 4 + t);
  const double* const first_b =
      shared + Tile::kBlockM * Tile::kBlockK + 2 * t * Tile::kPitchB + warp_n + 2 * g;
  const auto read = [&](int stage, int depth, int to) {
    const double* const from_a = shared + stage * Tile::kStage + depth * 16;
    const double* const from_b = first_b + stage * Tile::kStage + depth * 16 * Tile::kPitchB;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
#pragma unroll
      for (int odd = 0; odd < 2; ++odd) {
#pragma unroll
        for (int j = 0; j < kTilesN; ++j) {
          *reinterpret_cast<double2*>(&of_b[to][j][4 * half + 2 * odd]) =
              *reinterpret_cast<const double2*>(from_b + (8 * half + odd) * Tile::kPitchB + j * 16);
        }
      }
#pragma unroll
      for (int i = 0; i < kTilesM; ++i) {
        *reinterpret_cast<double2*>(&of_a[to][i][2 * half]) = *reinterpret_cast<const double2*>(
            from_a + (half == 0 ? first_half : second_half) + i * 8 * Tile::kBlockK);
      }
    }
  };

#pragma unroll
  for (int stage = 0; stage < Tile::kStages - 1; ++stage) copy();
  __pipeline_wait_prior(Tile::kStages - 2);
  __syncthreads();
  if (k > 0) read(0, 0, 0);
  int stage = 0;
  for (int done = 0; done < k; done += Tile::kBlockK) {
#pragma unroll
    for (int depth = 0; depth < kDepth; ++depth) {
      const int now = depth % 2;
      if (depth == 0) copy();
      if (depth < kDepth - 1) {
        read(stage, depth + 1, 1 - now);
      } else {
        // Everyone has read the last of this tile; its place is free after the barrier, and the next tile is
        // there.
        __pipeline_wait_prior(Tile::kStages - 2);
        __syncthreads();
        stage = stage + 1 == Tile::kStages ? 0 : stage + 1;
        if (done + Tile::kBlockK < k) read(stage, 0, 1 - now);
      }
#pragma unroll
      for (int i = 0; i < kTilesM; ++i) {
#pragma unroll
        for (int j = 0; j < kTilesN; ++j) multiply_16x8x16(sum[j][i], of_b[now][j], of_a[now][i]);
      }
    }
  }
  static_assert(kDepth % 2 == 0, "the next step's values must come to lie in of_a[0]");

#pragma unroll
  for (int i = 0; i < kTilesM; ++i) {
#pragma unroll
    for (int odd = 0; odd < 2; ++odd) {
      const int row = warp_m + i * 8 + 2 * t + odd;
      if (row >= rows) continue;
      double* const to = c + static_cast<size_t>(m0 + row) * n + n0;
#pragma unroll
      for (int j = 0; j < kTilesN; ++j) {
        const int column = warp_n + j * 16 + 2 * g;
        const double2 pair = make_double2(sum[j][i][odd], sum[j][i][2 + odd]);
        if (kVector == 2) {
          if (column < columns) *reinterpret_cast<double2*>(to + column) = pair;
        } else {
          if (column < columns) to[column] = pair.x;
          if (column + 1 < columns) to[column + 1] = pair.y;
        }
      }
    }
  }
}

template <class Tiling>
cudaError_t launch_product(const double* a, const double* b, double* c, int m, int n, int k,
                           cudaStream_t stream) {
  if (m == 0 || n == 0) return cudaSuccess;
  const long long tiles_m = (m + Tiling::kBlockM - 1) / Tiling::kBlockM,
                  tiles_n = (n + Tiling::kBlockN - 1) / Tiling::kBlockN;
  const size_t addresses =
      reinterpret_cast<size_t>(a) | reinterpret_cast<size_t>(b) | reinterpret_cast<size_t>(c);
  const bool vectors = n % 2 == 0 && k % 2 == 0 && addresses % 16 == 0;
  const auto kernel = vectors ? product_double<Tiling, 2> : product_double<Tiling, 1>;
  const cudaError_t status =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tiling::kSharedBytes);
  if (status != cudaSuccess) return status;
  kernel<<<static_cast<unsigned>(tiles_m * tiles_n), Tiling::kThreads, Tiling::kSharedBytes, stream>>>(
      a, b, c, m, n, k);
  return cudaGetLastError();
}

/// c (m x n) = a (m x k) times b (k x n), row-major, of any size.
inline cudaError_t product(const double* a, const double* b, double* c, int m, int n, int k,
                           cudaStream_t stream = nullptr) {
  return launch_product<DoubleTiling<128, 64, 32, 4, 2, 3, 1>>(a, b, c, m, n, k, stream);
}

}  // namespace fast
