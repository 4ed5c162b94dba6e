// Other loops, other types of indices, constants in another spelling, macros, two kernels written out instead
// of a template.
#include "contract.cuh"

#include <cfloat>
#include <cmath>
#include <cstdio>

#define TILE 0x20
#define STEP (1 << 3)
#define LAST_ERROR()                                                                      \
  {                                                                                       \
    auto e = cudaGetLastError();                                                          \
    if (e != cudaSuccess) printf("launch: %s\n", cudaGetErrorString(e));                  \
  }

__global__ void row_max_global_kernel(const float* __restrict__ a, float* __restrict__ out, int rows, int cols) {
  unsigned long long row = blockIdx.x;
  row *= blockDim.x;
  row += threadIdx.x;
  if (row < (unsigned long long)rows) {
    float best = a[row * cols];
    int col = 1;
    while (col < cols) {
      best = fmaxf(best, a[row * cols + col]);
      col++;
    }
    out[row] = best;
  }
}

void row_max_global(const float* a, float* out, int rows, int cols) {
  if (rows != 0) {
    row_max_global_kernel<<<(rows + 127) / 128, 128>>>(a, out, rows, cols);
    LAST_ERROR();
  }
}

#define TILE_KERNEL(NAME, PITCH)                                                              \
  __global__ void NAME(const float* a, float* out, int rows, int cols) {                      \
    __shared__ float tile[TILE * (PITCH)];                                                    \
    __shared__ float partial[STEP * TILE];                                                    \
    unsigned x = threadIdx.x, y = threadIdx.y;                                                \
    int first_row = blockIdx.x * TILE;                                                        \
    int rows_left = rows - first_row;                                                         \
    float best = -INFINITY;                                                                   \
    const float* corner = a + (size_t)first_row * cols;                                       \
    int cols_left = cols;                                                                     \
    while (cols_left > 0) {                                                                   \
      int r = y;                                                                              \
      do {                                                                                    \
        float value = -INFINITY;                                                              \
        if (r < rows_left && (int)x < cols_left) value = corner[(size_t)r * cols + x];        \
        tile[r * (PITCH) + x] = value;                                                        \
        r += STEP;                                                                            \
      } while (r < TILE);                                                                     \
      __syncthreads();                                                                        \
      unsigned c = 0;                                                                         \
      while (c != TILE / STEP) {                                                              \
        best = fmaxf(best, tile[x * (PITCH) + y * (TILE / STEP) + c]);                        \
        c += 1;                                                                               \
      }                                                                                       \
      __syncthreads();                                                                        \
      corner += TILE;                                                                         \
      cols_left -= TILE;                                                                      \
    }                                                                                         \
    partial[y * TILE + x] = best;                                                             \
    __syncthreads();                                                                          \
    if (y != 0 || (int)x >= rows_left) return;                                                \
    int k = 1;                                                                                \
    while (k < STEP) {                                                                        \
      best = fmaxf(best, partial[k * TILE + x]);                                              \
      k++;                                                                                    \
    }                                                                                         \
    out[first_row + x] = best;                                                                \
  }

TILE_KERNEL(shared_kernel, TILE)
TILE_KERNEL(padded_kernel, TILE + 1)

void row_max_shared(const float* a, float* out, int rows, int cols) {
  if (rows == 0) return;
  dim3 threads(TILE, STEP);
  dim3 blocks((rows + TILE - 1) / TILE);
  shared_kernel<<<blocks, threads>>>(a, out, rows, cols);
  LAST_ERROR();
}

void row_max_padded(const float* a, float* out, int rows, int cols) {
  if (rows == 0) return;
  dim3 threads(TILE, STEP);
  dim3 blocks((rows + TILE - 1) / TILE);
  padded_kernel<<<blocks, threads>>>(a, out, rows, cols);
  LAST_ERROR();
}
