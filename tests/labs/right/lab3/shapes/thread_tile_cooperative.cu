// A thread a row; a tile whose rows are reduced by a warp each; a cooperative launch that finishes in the same kernel.
// loses: padded structure.uses_shared_memory
// loses: padded structure.bank_conflict_free
#include <cstddef>

#include <cooperative_groups.h>

__global__ void thread_a_row(const float* a, float* out, int rows, int cols) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  float v = kStart;
  for (int c = 0; c < cols; ++c) v = join(v, of(a[static_cast<size_t>(row) * cols + c]));
  out[row] = finish(v, cols);
}

ROW(global) {
  if (rows > 0) thread_a_row<<<(rows - 1) / 64 + 1, 64>>>(a, out, rows, cols);
}

__device__ float warp_join(float v) {
  for (int d = 16; d > 0; d /= 2) v = join(v, __shfl_xor_sync(0xffffffff, v, d));
  return v;
}

// Threads past the last column put kStart into the tile, of() of which is never taken.
__global__ void warps_on_a_tile(const float* a, float* out, int rows, int cols) {
  __shared__ float tile[8][128];
  const int t = static_cast<int>(threadIdx.x), warp = t / 32, lane = t % 32;
  const int first = static_cast<int>(blockIdx.x) * 8;
  float v = kStart;
  for (int start = 0; start < cols; start += 128) {
    for (int e = t; e < 8 * 128; e += 256) {
      const int row = first + e / 128, col = start + e % 128;
      tile[e / 128][e % 128] = row < rows && col < cols ? of(a[static_cast<size_t>(row) * cols + col]) : kStart;
    }
    __syncthreads();
    for (int c = lane; c < 128; c += 32) v = join(v, tile[warp][c]);
    __syncthreads();
  }
  v = warp_join(v);
  if (lane == 0 && first + warp < rows) out[first + warp] = finish(v, cols);
}

ROW(shared) {
  if (rows > 0) warps_on_a_tile<<<(rows - 1) / 8 + 1, 256>>>(a, out, rows, cols);
}

constexpr int kParts = 2;  // of a row

__global__ void both_stages(const float* a, float* parts, float* out, int rows, int cols) {
  const auto grid = cooperative_groups::this_grid();
  const long long thread = static_cast<long long>(grid.thread_rank()), threads = static_cast<long long>(grid.size());
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (long long w = thread / 32; w < static_cast<long long>(rows) * kParts; w += threads / 32) {
    const size_t row = static_cast<size_t>(w / kParts);
    float v = kStart;
    for (int c = static_cast<int>(w % kParts) * 32 + lane; c < cols; c += 32 * kParts) v = join(v, of(a[row * cols + c]));
    v = warp_join(v);
    if (lane == 0) parts[w] = v;
  }
  grid.sync();
  for (long long r = thread; r < rows; r += threads) {
    float v = kStart;
    for (int p = 0; p < kParts; ++p) v = join(v, parts[r * kParts + p]);
    out[r] = finish(v, cols);
  }
}

ROW(padded) {
  if (rows == 0) return;
  float* parts = nullptr;
  if (cudaMalloc(&parts, static_cast<size_t>(rows) * kParts * sizeof *parts) != cudaSuccess) return;
  void* arguments[] = {&a, &parts, &out, &rows, &cols};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(both_stages), dim3(64), dim3(256), arguments, 0, nullptr);
  cudaFree(parts);
}
