// halo_exchange two_devices: the devices share the columns; a column of halo is copied as 2-D data. By peer access the
// whole grid stays on device 0, and the kernels of device 1 work there.
#include "contract.cuh"

#include <cstddef>
#include <utility>

// Columns [begin, end) of a grid of `rows` x `cols`.
__global__ void columns_kernel(const float* old_grid, float* new_grid, int rows, int cols, int begin,
                               int end) {
  const int c = begin + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int r = 1 + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (c >= end || r >= rows - 1) return;
  const float* at = old_grid + static_cast<size_t>(r) * cols + c;
  new_grid[static_cast<size_t>(r) * cols + c] = (at[-1] + at[1] + *(at - cols) + at[cols]) / 4;
}

static void step(const float* old_grid, float* new_grid, int rows, int cols, int begin, int end) {
  if (begin >= end || rows < 3) return;
  columns_kernel<<<dim3((end - begin - 1) / 32 + 1, (rows - 3) / 4 + 1), dim3(32, 4)>>>(
      old_grid, new_grid, rows, cols, begin, end);
}

void halo_copies(const float* from, float* to, int rows, int cols, int steps) {
  const size_t bytes = static_cast<size_t>(rows) * cols * sizeof(float),
               pitch = static_cast<size_t>(cols) * sizeof(float);
  cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
  if (rows < 3 || cols < 3) return;
  const int middle = 1 + (cols - 2) / 2, bounds[] = {1, middle, cols - 1};
  float *old_grids[2], *new_grids[2];
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    for (float** grid : {&old_grids[d], &new_grids[d]}) {
      cudaMalloc(grid, bytes);
      cudaMemcpy(*grid, from, bytes, cudaMemcpyDefault);
    }
  }
  const auto column = [&](int c, int source) {
    cudaMemcpy2D(old_grids[1 - source] + c, pitch, old_grids[source] + c, pitch, sizeof(float), rows,
                 cudaMemcpyDefault);
  };
  for (int done = 0; done < steps; ++done) {
    for (int d = 0; d < 2; ++d) {
      cudaSetDevice(d);
      step(old_grids[d], new_grids[d], rows, cols, bounds[d], bounds[d + 1]);
      std::swap(old_grids[d], new_grids[d]);
    }
    for (int d = 0; d < 2; ++d) {
      cudaSetDevice(d);
      cudaDeviceSynchronize();
    }
    if (middle > 1) column(middle - 1, 0);
    column(middle, 1);
  }
  for (int d = 0; d < 2; ++d)
    if (bounds[d] < bounds[d + 1])
      cudaMemcpy2D(to + bounds[d], pitch, old_grids[d] + bounds[d], pitch,
                   (bounds[d + 1] - bounds[d]) * sizeof(float), rows, cudaMemcpyDefault);
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaFree(old_grids[d]);
    cudaFree(new_grids[d]);
  }
  cudaSetDevice(0);
}

void halo_peer(const float* from, float* to, int rows, int cols, int steps) {
  const size_t bytes = static_cast<size_t>(rows) * cols * sizeof(float);
  cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
  if (rows < 3 || cols < 3) return;
  float* other = nullptr;
  cudaMalloc(&other, bytes);
  cudaMemcpy(other, from, bytes, cudaMemcpyDeviceToDevice);
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  const int middle = 1 + (cols - 2) / 2, bounds[] = {1, middle, cols - 1};
  float *old_grid = to, *new_grid = other;
  for (int done = 0; done < steps; ++done) {
    for (int d = 0; d < 2; ++d) {
      cudaSetDevice(d);
      step(old_grid, new_grid, rows, cols, bounds[d], bounds[d + 1]);
    }
    for (int d = 0; d < 2; ++d) {
      cudaSetDevice(d);
      cudaDeviceSynchronize();
    }
    std::swap(old_grid, new_grid);
  }
  cudaSetDevice(1);
  cudaDeviceDisablePeerAccess(0);
  cudaSetDevice(0);
  if (old_grid != to) cudaMemcpy(to, old_grid, bytes, cudaMemcpyDeviceToDevice);
  cudaFree(other);
}
