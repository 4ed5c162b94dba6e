// A warp an element with shuffles; vectors loaded into the tiles where rows allow it; two tiles in turn, so that the next
// one is loaded while this one is used, with groups of the block.
// loses: shared structure.bank_conflict_free
// loses: ilp structure.bank_conflict_free
#include <cstddef>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void warp_an_element(const Element* a, const Element* b, Element* c, int m, int n, int k) {
  const long long total = static_cast<long long>(m) * n, warps = static_cast<long long>(gridDim.x) * (blockDim.x / 32);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (long long e = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32; e < total; e += warps) {
    const size_t i = static_cast<size_t>(e / n), j = static_cast<size_t>(e % n);
    Element sum = 0;
    for (int q = lane; q < k; q += 32) sum += a[i * k + q] * b[static_cast<size_t>(q) * n + j];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0) c[e] = sum;
  }
}

PRODUCT(global) {
  if (m > 0 && n > 0) warp_an_element<<<512, 256>>>(a, b, c, m, n, k);
}

constexpr int kLanes = sizeof(Vector) / sizeof(Element), kTile = 32;

// Elements [first, first + kLanes) of a row of `count`.
__device__ void fetch(Element* to, const Element* row, int first, int count, bool inside) {
  if (inside && count % kLanes == 0 && first + kLanes <= count) {
    *reinterpret_cast<Vector*>(to) = *reinterpret_cast<const Vector*>(row + first);
  } else {
    for (int e = 0; e < kLanes; ++e) to[e] = inside && first + e < count ? row[first + e] : 0;
  }
}

// Fills a tile of rows [row, row + kTile) and columns [col, col + kTile) of a matrix; all threads of the block.
__device__ void fill(Element (*tile)[kTile], const Element* matrix, int row, int col, int rows, int cols) {
  for (int e = static_cast<int>(threadIdx.x); e < kTile * kTile / kLanes; e += static_cast<int>(blockDim.x)) {
    const int y = e / (kTile / kLanes), x = e % (kTile / kLanes) * kLanes;
    fetch(&tile[y][x], matrix + static_cast<size_t>(row + y) * cols, col + x, cols, row + y < rows);
  }
}

constexpr int kRows = 4;  // elements of a column that a thread computes

__device__ void multiply(const Element (*as)[kTile], const Element (*bs)[kTile], Element* sum) {
  const int x = static_cast<int>(threadIdx.x) % kTile, y = static_cast<int>(threadIdx.x) / kTile * kRows;
  for (int p = 0; p < kTile; ++p)
    for (int r = 0; r < kRows; ++r) sum[r] += as[y + r][p] * bs[p][x];
}

__device__ void store(Element* c, int row, int col, int m, int n, const Element* sum) {
  const int x = static_cast<int>(threadIdx.x) % kTile, y = static_cast<int>(threadIdx.x) / kTile * kRows;
  for (int r = 0; r < kRows; ++r)
    if (row + y + r < m && col + x < n) c[static_cast<size_t>(row + y + r) * n + col + x] = sum[r];
}

__global__ void vectors(const Element* a, const Element* b, Element* c, int m, int n, int k) {
  __shared__ alignas(16) Element as[kTile][kTile], bs[kTile][kTile];
  const int row = static_cast<int>(blockIdx.y) * kTile, col = static_cast<int>(blockIdx.x) * kTile;
  Element sum[kRows] = {};
  for (int q = 0; q < k; q += kTile) {
    fill(as, a, row, q, m, k);
    fill(bs, b, q, col, k, n);
    __syncthreads();
    multiply(as, bs, sum);
    __syncthreads();
  }
  store(c, row, col, m, n, sum);
}

PRODUCT(shared) {
  if (m > 0 && n > 0)
    vectors<<<dim3((n - 1) / kTile + 1, (m - 1) / kTile + 1), kTile * kTile / kRows>>>(a, b, c, m, n, k);
}

__global__ void in_turn(const Element* a, const Element* b, Element* c, int m, int n, int k) {
  __shared__ alignas(16) Element as[2][kTile][kTile], bs[2][kTile][kTile];
  const auto block = cg::this_thread_block();
  const int row = static_cast<int>(blockIdx.y) * kTile, col = static_cast<int>(blockIdx.x) * kTile;
  Element sum[kRows] = {};
  int now = 0;
  fill(as[0], a, row, 0, m, k);
  fill(bs[0], b, 0, col, k, n);
  for (int q = 0; q < k; q += kTile) {
    block.sync();
    if (q + kTile < k) {
      fill(as[1 - now], a, row, q + kTile, m, k);
      fill(bs[1 - now], b, q + kTile, col, k, n);
    }
    multiply(as[now], bs[now], sum);
    now = 1 - now;
  }
  store(c, row, col, m, n, sum);
}

PRODUCT(ilp) {
  if (m > 0 && n > 0)
    in_turn<<<dim3((n - 1) / kTile + 1, (m - 1) / kTile + 1), kTile * kTile / kRows>>>(a, b, c, m, n, k);
}
