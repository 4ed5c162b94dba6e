// The sum over k split among blocks with atomics; tiles of 16 x 16 in bands on several streams; 4 x 4 elements a thread.
// loses: shared structure.bank_conflict_free
// loses: ilp structure.bank_conflict_free
#include <cstddef>

__global__ void split(const Element* a, const Element* b, Element* c, int m, int n, int k) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int parts = static_cast<int>(gridDim.z);
  if (j >= n) return;
  for (int i = static_cast<int>(blockIdx.y); i < m; i += static_cast<int>(gridDim.y)) {
    Element sum = 0;
    for (int q = static_cast<int>(blockIdx.z); q < k; q += parts)
      sum += a[static_cast<size_t>(i) * k + q] * b[static_cast<size_t>(q) * n + j];
    atomicAdd(c + static_cast<size_t>(i) * n + j, sum);
  }
}

PRODUCT(global) {
  if (m == 0 || n == 0) return;
  cudaMemset(c, 0, static_cast<size_t>(m) * n * sizeof *c);
  split<<<dim3((n - 1) / 64 + 1, m < 60000 ? m : 60000, 2), 64>>>(a, b, c, m, n, k);
}

constexpr int kTile = 16;

__global__ void small_tiles(const Element* a, const Element* b, Element* c, int m, int n, int k) {
  __shared__ Element as[kTile][kTile], bs[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y, j = static_cast<int>(blockIdx.x) * kTile + x;
  const int i = static_cast<int>(blockIdx.y) * kTile + y;
  Element sum = 0;
  for (int q = 0; q < k; q += kTile) {
    as[y][x] = i < m && q + x < k ? a[static_cast<size_t>(i) * k + q + x] : 0;
    bs[y][x] = q + y < k && j < n ? b[static_cast<size_t>(q + y) * n + j] : 0;
    __syncthreads();
    for (int p = 0; p < kTile; ++p) sum += as[y][p] * bs[p][x];
    __syncthreads();
  }
  if (i < m && j < n) c[static_cast<size_t>(i) * n + j] = sum;
}

PRODUCT(shared) {
  cudaStream_t streams[2];
  for (auto& s : streams) cudaStreamCreate(&s);
  for (int s = 0; s < 2; ++s) {
    const int first = m / 2 * s, rows = s == 1 ? m - first : m / 2;
    if (rows == 0 || n == 0) continue;
    small_tiles<<<dim3((n - 1) / kTile + 1, (rows - 1) / kTile + 1), dim3(kTile, kTile), 0, streams[s]>>>(
        a + static_cast<size_t>(first) * k, b, c + static_cast<size_t>(first) * n, rows, n, k);
  }
  for (auto& s : streams) cudaStreamSynchronize(s), cudaStreamDestroy(s);
}

// A 64 x 64 tile of c for 16 x 16 threads: element (y + 16 r, x + 16 s) for r, s in 0..3.
__global__ void registers(const Element* a, const Element* b, Element* c, int m, int n, int k) {
  constexpr int side = 64, depth = 16, step = 16;
  __shared__ Element as[side][depth + 1], bs[depth][side];
  const int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
  const int across = (n - 1) / side + 1;
  const int row = static_cast<int>(blockIdx.x) / across * side, col = static_cast<int>(blockIdx.x) % across * side;
  Element sum[4][4] = {};
  for (int q = 0; q < k; q += depth) {
    for (int e = t; e < side * depth; e += 256) {
      const int ar = e / depth, aq = e % depth, bq = e / side, bc = e % side;
      as[ar][aq] = row + ar < m && q + aq < k ? a[static_cast<size_t>(row + ar) * k + q + aq] : 0;
      bs[bq][bc] = q + bq < k && col + bc < n ? b[static_cast<size_t>(q + bq) * n + col + bc] : 0;
    }
    __syncthreads();
    for (int p = 0; p < depth; ++p)
      for (int r = 0; r < 4; ++r)
        for (int s = 0; s < 4; ++s) sum[r][s] += as[y + step * r][p] * bs[p][x + step * s];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    for (int s = 0; s < 4; ++s) {
      const int i = row + y + step * r, j = col + x + step * s;
      if (i < m && j < n) c[static_cast<size_t>(i) * n + j] = sum[r][s];
    }
}

PRODUCT(ilp) {
  if (m == 0 || n == 0) return;
  registers<<<((m - 1) / 64 + 1) * ((n - 1) / 64 + 1), dim3(16, 16)>>>(a, b, c, m, n, k);
}
