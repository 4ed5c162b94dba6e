#pragma once
// The fastest product of float matrices that we know, on the ordinary arithmetic units: c = a b, and c = a aT
// of which only the lower triangle is computed. The last rungs of the ladder of products and bench/gpu use
// it.
//
// What limits it is the rate of multiply-adds: whatever else a warp has to issue takes their place. A thread
// keeps 8 x 8 elements of c in registers, so that the values that it reads from shared memory serve many of
// them. a is transposed first, in memory of its own: then the tiles of both matrices lie in shared memory as
// they lie outside, and arrive 16 bytes at a time, without passing through registers. While a tile is
// multiplied the next ones are on their way, and so are the next values from shared memory to registers.

#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include "fast_transpose.cuh"
#include "tile_copy.cuh"

namespace fast {

/// A block makes kBlockM x kBlockN elements of c, kBlockK of the inner dimension at a time; it holds kStages
/// such tiles of a and b. kWarpsM x kWarpsN warps share the tile of c, and kSlices such groups the inner
/// dimension; a thread makes kThreadM x kThreadN elements. kMinBlocks blocks fit a multiprocessor.
template <int kBlockM_, int kBlockN_, int kBlockK_, int kThreadM_, int kThreadN_, int kWarpsM_, int kWarpsN_,
          int kSlices_, int kStages_, int kMinBlocks_>
struct FloatTiling {
  static constexpr int kBlockM = kBlockM_, kBlockN = kBlockN_, kBlockK = kBlockK_, kThreadM = kThreadM_,
                       kThreadN = kThreadN_;
  static constexpr int kWarpsM = kWarpsM_, kWarpsN = kWarpsN_, kSlices = kSlices_, kStages = kStages_,
                       kMinBlocks = kMinBlocks_;
  static constexpr int kThreads = kWarpsM * kWarpsN * kSlices * 32;
  static constexpr int kLanesM = kBlockM / kWarpsM / kThreadM, kLanesN = kBlockN / kWarpsN / kThreadN;
  static_assert(kLanesM * kLanesN == 32 && kLanesM >= 4 && kLanesN >= 4);
  static constexpr int kStage = kBlockK * (kBlockM + kBlockN);  ///< floats
  static constexpr int kStaged = kStages * kStage, kSliced = (kSlices - 1) * kBlockM * kBlockN;
  static constexpr int kSharedBytes = 4 * (kStaged > kSliced ? kStaged : kSliced);
};

/// Where a block's tile of c lies. Blocks that run at the same time form a compact patch, which needs few
/// rows of a and few columns of b.
struct TilePlace {
  int m, n;
};
__device__ inline TilePlace tile_of_product(int block, int tiles_m, int tiles_n) {
  constexpr int kGroup = 8;
  const int group = block / (kGroup * tiles_n), first = group * kGroup;
  const int height = min(kGroup, tiles_m - first), within = block - group * kGroup * tiles_n;
  return {first + within % height, within / height};
}
__device__ inline TilePlace tile_of_triangle(int block) {
  int m = static_cast<int>((sqrtf(8.0f * static_cast<float>(block) + 1.0f) - 1.0f) / 2.0f);
  while (m * (m + 1) / 2 > block) --m;
  while ((m + 1) * (m + 2) / 2 <= block) ++m;
  return {m, block - m * (m + 1) / 2};
}

/// c (m x n) = a times b (k x n), where at (k x m) is a transposed; with kSymmetric c (m x m) = a aT, and b
/// is at. kVector = 4 wants m and n to be multiples of 4 and at and b to be 16-byte aligned.
template <class Tiling, bool kSymmetric, int kVector>
__global__ void __launch_bounds__(Tiling::kThreads, Tiling::kMinBlocks)
    product_float(const float* at, const float* b, float* c, int m, int n, int k) {
  using Tile = Tiling;
  static_assert(!kSymmetric || Tile::kBlockM == Tile::kBlockN);
  constexpr int kDepth = Tile::kBlockK / Tile::kSlices;
  constexpr int kGroupsM = Tile::kThreadM / 4, kGroupsN = Tile::kThreadN / 4;
  extern __shared__ float4 shared_floats[];
  float* const shared = reinterpret_cast<float*>(shared_floats);

  const int tiles_m = (m + Tile::kBlockM - 1) / Tile::kBlockM,
            tiles_n = (n + Tile::kBlockN - 1) / Tile::kBlockN;
  const int block = static_cast<int>(blockIdx.x);
  const TilePlace place = kSymmetric ? tile_of_triangle(block) : tile_of_product(block, tiles_m, tiles_n);
  const int m0 = place.m * Tile::kBlockM, n0 = place.n * Tile::kBlockN;
  const int rows = m - m0, columns = n - n0;  // at least one of each

  // A warp's lanes lie in kLanesM x kLanesN. Lanes 2 i and 2 i + 1 read the same of b, lanes i and i + 2 the
  // same of a: such reads of 16 bytes need two passes through shared memory, others four.
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  constexpr int kRestM = Tile::kLanesM / 2;
  const int lane_m = lane % 2 + lane / 4 % kRestM * 2, lane_n = lane / 2 % 2 + lane / (4 * kRestM) * 2;
  const int slice = warp / (Tile::kWarpsM * Tile::kWarpsN);
  const int warp_m = warp % Tile::kWarpsM, warp_n = warp / Tile::kWarpsM % Tile::kWarpsN;
  const int thread_m = warp_m * (Tile::kBlockM / Tile::kWarpsM) + lane_m * 4;
  const int thread_n = warp_n * (Tile::kBlockN / Tile::kWarpsN) + lane_n * 4;

  using CopyA = TileCopy<float, Tile::kBlockK, Tile::kBlockM, Tile::kThreads, kVector>;
  using CopyB = TileCopy<float, Tile::kBlockK, Tile::kBlockN, Tile::kThreads, kVector>;
  CopyA copy_a(at + m0, static_cast<size_t>(m), static_cast<size_t>(Tile::kBlockK) * m);
  CopyB copy_b(b + n0, static_cast<size_t>(n), static_cast<size_t>(Tile::kBlockK) * n);
  const bool whole = rows >= Tile::kBlockM && columns >= Tile::kBlockN;
  int left = k;    // of the inner dimension, not yet asked for
  int filled = 0;  // the next stage to be filled
  const auto copy = [&] {
    float* const to_a = shared + filled * Tile::kStage;
    float* const to_b = to_a + Tile::kBlockK * Tile::kBlockM;
    const auto start = [&](auto is_whole) {
      constexpr bool kWhole = decltype(is_whole)::value;
      copy_a.template start<kWhole>(to_a + CopyA::row() * Tile::kBlockM + CopyA::column(), Tile::kBlockM,
                                    left, rows);
      copy_b.template start<kWhole>(to_b + CopyB::row() * Tile::kBlockN + CopyB::column(), Tile::kBlockN,
                                    left, columns);
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

  float sum[Tile::kThreadM][Tile::kThreadN] = {};
  float4 of_a[2][kGroupsM], of_b[2][kGroupsN];  // of this step of the inner dimension and of the next
  const float* const first_a = shared + slice * kDepth * Tile::kBlockM + thread_m;
  const float* const first_b =
      shared + Tile::kBlockK * Tile::kBlockM + slice * kDepth * Tile::kBlockN + thread_n;
  const auto read = [&](int stage, int depth, int to) {
    const float* const from_a = first_a + stage * Tile::kStage + depth * Tile::kBlockM;
    const float* const from_b = first_b + stage * Tile::kStage + depth * Tile::kBlockN;
#pragma unroll
    for (int g = 0; g < kGroupsM; ++g) {
      of_a[to][g] = *reinterpret_cast<const float4*>(from_a + g * Tile::kLanesM * 4);
    }
#pragma unroll
    for (int g = 0; g < kGroupsN; ++g) {
      of_b[to][g] = *reinterpret_cast<const float4*>(from_b + g * Tile::kLanesN * 4);
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
        // After the barrier everyone has read the last of this tile, so that its place is free, and the next
        // tile is there.
        __pipeline_wait_prior(Tile::kStages - 2);
        __syncthreads();
        stage = stage + 1 == Tile::kStages ? 0 : stage + 1;
        if (done + Tile::kBlockK < k) read(stage, 0, 1 - now);
      }
      const float* const x = reinterpret_cast<const float*>(of_a[now]);
      const float* const y = reinterpret_cast<const float*>(of_b[now]);
      // Down one column and up the next: neighbouring multiply-adds share an operand, which then need not be
      // fetched again.
#pragma unroll
      for (int j = 0; j < Tile::kThreadN; ++j) {
#pragma unroll
        for (int step = 0; step < Tile::kThreadM; ++step) {
          const int i = j % 2 == 0 ? step : Tile::kThreadM - 1 - step;
          sum[i][j] += x[i] * y[j];
        }
      }
    }
  }
  static_assert(kDepth % 2 == 0, "the next step's values must come to lie in of_a[0]");

  if constexpr (Tile::kSlices > 1) {
    __pipeline_wait_prior(0);
    __syncthreads();
    constexpr int kGroup = Tile::kThreads / Tile::kSlices;
    const int thread = static_cast<int>(threadIdx.x) % kGroup;
    if (slice > 0) {
      float* const to = shared + (slice - 1) * Tile::kBlockM * Tile::kBlockN + thread;
#pragma unroll
      for (int i = 0; i < Tile::kThreadM; ++i) {
#pragma unroll
        for (int j = 0; j < Tile::kThreadN; ++j) to[(i * Tile::kThreadN + j) * kGroup] = sum[i][j];
      }
    }
    __syncthreads();
    if (slice > 0) return;
#pragma unroll
    for (int s = 0; s < Tile::kSlices - 1; ++s) {
      const float* const from = shared + s * Tile::kBlockM * Tile::kBlockN + thread;
#pragma unroll
      for (int i = 0; i < Tile::kThreadM; ++i) {
#pragma unroll
        for (int j = 0; j < Tile::kThreadN; ++j) sum[i][j] += from[(i * Tile::kThreadN + j) * kGroup];
      }
    }
  }

#pragma unroll
  for (int i = 0; i < Tile::kThreadM; ++i) {
    const int row = thread_m + i / 4 * Tile::kLanesM * 4 + i % 4;
    if (row >= rows) continue;
    float* const to = c + static_cast<size_t>(m0 + row) * n + n0;
#pragma unroll
    for (int g = 0; g < kGroupsN; ++g) {
      const int column = thread_n + g * Tile::kLanesN * 4;
      // One by one: 16 bytes at a time, the compiler keeps four neighbours in four neighbouring registers,
      // and the multiply-adds then fetch their operands from the same bank of registers more often.
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (column + j < columns) to[column + j] = sum[i][4 * g + j];
      }
    }
  }
  if constexpr (kSymmetric) {
    if (place.m == place.n) return;
      // The same values on the other side of the diagonal.
#pragma unroll
    for (int j = 0; j < Tile::kThreadN; ++j) {
      const int column = thread_n + j / 4 * Tile::kLanesN * 4 + j % 4;
      if (column >= columns) continue;
      float* const to = c + static_cast<size_t>(n0 + column) * n + m0;
#pragma unroll
      for (int g = 0; g < kGroupsM; ++g) {
        const int row = thread_m + g * Tile::kLanesM * 4;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          if (row + i < rows) to[row + i] = sum[4 * g + i][j];
        }
      }
    }
  }
}

/// Launches one tiling; the functions below pick among them. With kSymmetric b is at.
template <class Tiling, bool kSymmetric>
cudaError_t launch_product(const float* at, const float* b, float* c, int m, int n, int k,
                           cudaStream_t stream) {
  if (m == 0 || n == 0) return cudaSuccess;
  const long long tiles_m = (m + Tiling::kBlockM - 1) / Tiling::kBlockM;
  const long long tiles_n = (n + Tiling::kBlockN - 1) / Tiling::kBlockN;
  const long long blocks = kSymmetric ? tiles_m * (tiles_m + 1) / 2 : tiles_m * tiles_n;
  const bool vectors =
      m % 4 == 0 && n % 4 == 0 && (reinterpret_cast<size_t>(at) | reinterpret_cast<size_t>(b)) % 16 == 0;
  const auto kernel = vectors ? product_float<Tiling, kSymmetric, 4> : product_float<Tiling, kSymmetric, 1>;
  const cudaError_t status =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tiling::kSharedBytes);
  if (status != cudaSuccess) return status;
  kernel<<<static_cast<unsigned>(blocks), Tiling::kThreads, Tiling::kSharedBytes, stream>>>(at, b, c, m, n,
                                                                                            k);
  return cudaGetLastError();
}

/// c (m x n) = a (m x k) times b (k x n), row-major, of any size. `at` is room for the m k elements of a,
/// transposed.
inline cudaError_t product(const float* a, const float* b, float* c, int m, int n, int k, float* at,
                           cudaStream_t stream = nullptr) {
  using Many = FloatTiling<64, 128, 16, 8, 8, 2, 2, 1, 3, 4>;
  using Few = FloatTiling<64, 128, 32, 8, 8, 2, 2, 2, 3, 1>;
  int device = 0, processors = 0;
  cudaError_t status = transpose(a, at, m, k, stream);
  if (status == cudaSuccess) status = cudaGetDevice(&device);
  if (status == cudaSuccess) {
    status = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  }
  if (status != cudaSuccess) return status;
  const long long tiles = ((m + 63LL) / 64) * ((n + 127LL) / 128);
  // With a single block on a multiprocessor too few warps would run: two groups of warps share the inner
  // dimension.
  if (tiles <= processors) return launch_product<Few, false>(at, b, c, m, n, k, stream);
  return launch_product<Many, false>(at, b, c, m, n, k, stream);
}

/// c (m x m) = a aT, a of m x k, row-major, of any size. Of each pair of elements that mirror each other one
/// is computed, and both are written. `at` is room for the m k elements of a, transposed.
inline cudaError_t product_by_transposed(const float* a, float* c, int m, int k, float* at,
                                         cudaStream_t stream = nullptr) {
  const cudaError_t status = transpose(a, at, m, k, stream);
  if (status != cudaSuccess) return status;
  // Small tiles: those on the diagonal are computed whole, and half of that is wasted.
  return launch_product<FloatTiling<64, 64, 16, 8, 8, 2, 1, 1, 3, 8>, true>(at, at, c, m, m, k, stream);
}

}  // namespace fast
