// A warp a row with shuffles; a block a row with a tree in shared memory; two stages through scratch memory.
// loses: padded structure.uses_shared_memory
// loses: padded structure.bank_conflict_free
#include <cmath>
#include <cstddef>

__device__ float warp_join(float v) {
  for (int d = 16; d > 0; d /= 2) v = join(v, __shfl_xor_sync(0xffffffff, v, d));
  return v;
}

__global__ void warp_a_row(const float* a, float* out, int rows, int cols) {
  const int row = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32), lane = threadIdx.x % 32;
  if (row >= rows) return;  // the whole warp
  float v = kStart;
  for (int c = lane; c < cols; c += 32) v = join(v, of(a[static_cast<size_t>(row) * cols + c]));
  v = warp_join(v);
  if (lane == 0) out[row] = finish(v, cols);
}

ROW(global) {
  if (rows > 0) warp_a_row<<<(rows - 1) / 8 + 1, 256>>>(a, out, rows, cols);
}

__global__ void block_a_row(const float* a, float* out, int cols) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  const size_t row = blockIdx.x;
  float v = kStart;
  for (int c = t; c < cols; c += 256) v = join(v, of(a[row * cols + c]));
  part[t] = v;
  for (int s = 128; s > 0; s /= 2) {
    __syncthreads();
    if (t < s) part[t] = join(part[t], part[t + s]);
  }
  if (t == 0) out[row] = finish(part[0], cols);
}

ROW(shared) {
  if (rows > 0) block_a_row<<<rows, 256>>>(a, out, cols);
}

constexpr int kParts = 4;  // of a row

__global__ void first_stage(const float* a, float* parts, int rows, int cols) {
  const int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32), lane = threadIdx.x % 32;
  if (warp >= rows * kParts) return;
  const int row = warp / kParts, part = warp % kParts;
  float v = kStart;
  for (int c = part * 32 + lane; c < cols; c += 32 * kParts) v = join(v, of(a[static_cast<size_t>(row) * cols + c]));
  v = warp_join(v);
  if (lane == 0) parts[warp] = v;
}

__global__ void second_stage(const float* parts, float* out, int rows, int cols) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  float v = kStart;
  for (int p = 0; p < kParts; ++p) v = join(v, parts[row * kParts + p]);
  out[row] = finish(v, cols);
}

ROW(padded) {
  if (rows == 0) return;
  float* parts = nullptr;
  if (cudaMalloc(&parts, static_cast<size_t>(rows) * kParts * sizeof *parts) != cudaSuccess) return;
  first_stage<<<(rows * kParts - 1) / 8 + 1, 256>>>(a, parts, rows, cols);
  second_stage<<<(rows - 1) / 256 + 1, 256>>>(parts, out, rows, cols);
  cudaFree(parts);
}
