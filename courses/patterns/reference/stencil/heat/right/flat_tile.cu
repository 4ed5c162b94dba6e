// A flat tile in dynamic shared memory: all threads of a block share the loading of tile and halo in one loop. In
// `global` a warp has a row at a time and gets the neighbours on the left and right from other lanes.
#include "contract.cuh"

#include <cstddef>

__global__ void warp_rows(const float* t, float* next, int rows, int cols, float k) {
  const int warps_across = (cols - 1) / 32 + 1;
  const size_t warp = (static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int r = static_cast<int>(warp / warps_across), c = static_cast<int>(warp % warps_across) * 32 + lane;
  if (r >= rows) return;
  const float* row = t + static_cast<size_t>(r) * cols;
  const float own = c < cols ? row[c] : 0;
  float left = __shfl_up_sync(0xffffffff, own, 1), right = __shfl_down_sync(0xffffffff, own, 1);
  if (c >= cols) return;
  float value = own;
  if (r > 0 && r < rows - 1 && c > 0 && c < cols - 1) {
    if (lane == 0) left = row[c - 1];
    if (lane == 31) right = row[c + 1];
    value += k * (row[c - cols] + row[c + cols] + left + right - 4 * own);
  }
  next[static_cast<size_t>(r) * cols + c] = value;
}

void heat_global(const float* t, float* next, int rows, int cols, float k) {
  if (rows == 0 || cols == 0) return;
  const size_t warps = static_cast<size_t>(rows) * ((cols - 1) / 32 + 1);
  warp_rows<<<static_cast<unsigned>((warps + 3) / 4), 128>>>(t, next, rows, cols, k);
}

constexpr int width = 64, height = 16, pitch = width + 2;

__global__ void flat_tiles(const float* t, float* next, int rows, int cols, float k) {
  extern __shared__ float tile[];
  const int across = (cols + width - 1) / width;
  const int row0 = static_cast<int>(blockIdx.x) / across * height,
            col0 = static_cast<int>(blockIdx.x) % across * width;
  for (unsigned i = threadIdx.x; i < pitch * (height + 2); i += blockDim.x) {
    const int r = min(max(row0 + static_cast<int>(i / pitch) - 1, 0), rows - 1);
    const int c = min(max(col0 + static_cast<int>(i % pitch) - 1, 0), cols - 1);
    tile[i] = t[static_cast<size_t>(r) * cols + c];
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < width * height; i += blockDim.x) {
    const int y = static_cast<int>(i / width), x = static_cast<int>(i % width), r = row0 + y, c = col0 + x;
    if (r >= rows || c >= cols) continue;
    const float* cell = tile + (y + 1) * pitch + x + 1;
    const bool border = r == 0 || c == 0 || r == rows - 1 || c == cols - 1;
    next[static_cast<size_t>(r) * cols + c] =
        *cell + (border ? 0 : k * (cell[-pitch] + cell[pitch] + cell[-1] + cell[1] - 4 * *cell));
  }
}

void heat_shared(const float* t, float* next, int rows, int cols, float k) {
  if (rows == 0 || cols == 0) return;
  const int tiles = ((rows + height - 1) / height) * ((cols + width - 1) / width);
  flat_tiles<<<static_cast<unsigned>(tiles), 256, pitch*(height + 2) * sizeof(float)>>>(t, next, rows, cols,
                                                                                        k);
}
