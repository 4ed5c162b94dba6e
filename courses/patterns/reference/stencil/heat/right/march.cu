// Threads walk down the columns. `global` keeps the last three cells of its column in registers, `shared` a ring
// of three rows of its strip in shared memory.
#include "contract.cuh"

#include <cstddef>

constexpr int threads = 128;
constexpr int height = 16;  // rows of a strip

__device__ float change(float own, float up, float down, float left, float right, float k) {
  return k * (up - own + (down - own) + (left - own) + (right - own));
}

__global__ void march_registers(const float* t, float* next, int rows, int cols, float k) {
  const int across = (cols - 1) / threads + 1;
  const int c = static_cast<int>(blockIdx.x) % across * threads + static_cast<int>(threadIdx.x);
  const int begin = static_cast<int>(blockIdx.x) / across * height;
  if (c >= cols) return;
  const float* cell = t + static_cast<size_t>(begin) * cols + c;
  float* out = next + static_cast<size_t>(begin) * cols + c;
  float up = begin > 0 ? cell[-cols] : 0, own = *cell;
  for (int r = begin; r < begin + height && r < rows; ++r, cell += cols, out += cols) {
    const float down = r + 1 < rows ? cell[cols] : 0;
    const bool inner = r > 0 && r + 1 < rows && c > 0 && c + 1 < cols;
    *out = inner ? own + change(own, up, down, cell[-1], cell[1], k) : own;
    up = own;
    own = down;
  }
}

__global__ void march_ring(const float* t, float* next, int rows, int cols, float k) {
  __shared__ float ring[3][threads + 2];
  const int across = (cols - 1) / threads + 1;
  const int x = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) % across * threads, c = first + x;
  const int begin = static_cast<int>(blockIdx.x) / across * height;
  const int end = min(begin + height, rows);
  for (int r = begin - 1; r <= end; ++r) {
    float* const row = ring[(r + 3) % 3];
    if (r >= 0 && r < rows) {
      const float* source = t + static_cast<size_t>(r) * cols;
      for (int i = x; i < threads + 2; i += threads) {
        const int from = first + i - 1;
        if (from >= 0 && from < cols) row[i] = source[from];
      }
    }
    __syncthreads();
    const int done = r - 1;  // its neighbours are in the ring
    if (done >= begin && c < cols) {
      const float *up = ring[(done + 2) % 3], *here = ring[done % 3], *down = ring[(done + 1) % 3];
      const bool inner = done > 0 && done + 1 < rows && c > 0 && c + 1 < cols;
      next[static_cast<size_t>(done) * cols + c] =
          here[x + 1] + (inner ? change(here[x + 1], up[x + 1], down[x + 1], here[x], here[x + 2], k) : 0);
    }
    __syncthreads();
  }
}

static unsigned strips(int rows, int cols) {
  return static_cast<unsigned>(((rows - 1) / height + 1) * ((cols - 1) / threads + 1));
}

void heat_global(const float* t, float* next, int rows, int cols, float k) {
  if (rows > 0 && cols > 0) march_registers<<<strips(rows, cols), threads>>>(t, next, rows, cols, k);
}

void heat_shared(const float* t, float* next, int rows, int cols, float k) {
  if (rows > 0 && cols > 0) march_ring<<<strips(rows, cols), threads>>>(t, next, rows, cols, k);
}
