// halo_exchange two_devices: a halo of two rows, so that the devices exchange after every second step only: the first of
// two steps also computes one row of the other device. By peer access the kernel fetches both rows itself.
#include "contract.cuh"

#include <cstddef>

constexpr int block_size = 128;

// A device's rows [begin, end), and two more on each side as far as the grid has them: from row `low` to `high`.
struct Part {
  int begin, end, low, high;
  float* grids[2];
};

static Part part_of(int device, int rows) {
  const int middle = 1 + (rows - 2) / 2;
  Part part{device == 0 ? 1 : middle, device == 0 ? middle : rows - 1, 0, 0, {nullptr, nullptr}};
  part.low = part.begin - 2 > 0 ? part.begin - 2 : 0;
  part.high = part.end + 2 < rows ? part.end + 2 : rows;
  return part;
}

// One step of the rows from `begin` to `end`; `low` is the first row of the arrays.
__global__ void rows_kernel(const float* old_grid, float* new_grid, int low, int begin, int cols) {
  const int r = begin + static_cast<int>(blockIdx.y) - low,
            c = 1 + static_cast<int>(blockIdx.x) * block_size + static_cast<int>(threadIdx.x);
  if (c >= cols - 1) return;
  const float* at = old_grid + static_cast<size_t>(r) * cols + c;
  new_grid[static_cast<size_t>(r) * cols + c] = 0.25f * (*(at - cols) + at[cols] + at[-1] + at[1]);
}

static void step(const Part& part, int from, int begin, int end, int cols) {
  if (begin >= end || cols < 3) return;
  rows_kernel<<<dim3((cols - 3) / block_size + 1, end - begin), block_size>>>(
      part.grids[from], part.grids[1 - from], part.low, begin, cols);
}

// Rows [begin, end) of one part to another.
static void copy_rows(const Part& to, int to_device, const Part& from, int from_device, int which, int begin,
                      int end, int cols) {
  if (begin < end)
    cudaMemcpyPeer(to.grids[which] + static_cast<size_t>(begin - to.low) * cols, to_device,
                   from.grids[which] + static_cast<size_t>(begin - from.low) * cols, from_device,
                   static_cast<size_t>(end - begin) * cols * sizeof(float));
}

__global__ void fetch_kernel(const float* from, float* to, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) to[i] = from[i];
}

template <class Exchange>
static void run(const float* from, float* to, int rows, int cols, int steps, Exchange exchange) {
  cudaMemcpy(to, from, static_cast<size_t>(rows) * cols * sizeof(float), cudaMemcpyDeviceToDevice);
  if (rows < 3 || cols < 3) return;
  Part parts[2] = {part_of(0, rows), part_of(1, rows)};
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    const size_t bytes = static_cast<size_t>(parts[d].high - parts[d].low) * cols * sizeof(float);
    for (float*& grid : parts[d].grids) {
      cudaMalloc(&grid, bytes);
      cudaMemcpyPeer(grid, d, from + static_cast<size_t>(parts[d].low) * cols, 0, bytes);
    }
  }
  int now = 0;
  for (int done = 0; done < steps; ++done, now = 1 - now) {
    const int more = done % 2 == 0 ? 1 : 0;  // rows beyond the part
    for (int d = 0; d < 2; ++d) {
      const Part& part = parts[d];
      cudaSetDevice(d);
      const int begin = part.begin - more > 1 ? part.begin - more : 1;
      const int end = part.end + more < rows - 1 ? part.end + more : rows - 1;
      step(part, now, begin, end, cols);
    }
    if (more == 0) exchange(parts, 1 - now);
  }
  for (int d = 0; d < 2; ++d)
    cudaMemcpyPeer(to + static_cast<size_t>(parts[d].begin) * cols, 0,
                   parts[d].grids[now] + static_cast<size_t>(parts[d].begin - parts[d].low) * cols, d,
                   static_cast<size_t>(parts[d].end - parts[d].begin) * cols * sizeof(float));
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    for (float* grid : parts[d].grids) cudaFree(grid);
  }
  cudaSetDevice(0);
}

void halo_copies(const float* from, float* to, int rows, int cols, int steps) {
  run(from, to, rows, cols, steps, [cols](const Part(&parts)[2], int which) {
    copy_rows(parts[1], 1, parts[0], 0, which, parts[1].low > 1 ? parts[1].low : 1, parts[1].begin, cols);
    copy_rows(parts[0], 0, parts[1], 1, which, parts[0].end,
              parts[0].high < parts[1].end ? parts[0].high : parts[1].end, cols);
  });
}

void halo_peer(const float* from, float* to, int rows, int cols, int steps) {
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaDeviceEnablePeerAccess(1 - d, 0);
  }
  cudaSetDevice(0);
  run(from, to, rows, cols, steps, [cols](const Part(&parts)[2], int which) {
    for (int d = 0; d < 2; ++d) {  // both have finished their steps
      cudaSetDevice(d);
      cudaDeviceSynchronize();
    }
    for (int d = 0; d < 2; ++d) {
      const Part &mine = parts[d], &other = parts[1 - d];
      const int begin = d == 0 ? mine.end : (mine.low > 1 ? mine.low : 1);
      const int end = d == 1 ? mine.begin : (mine.high < other.end ? mine.high : other.end);
      const int count = (end - begin) * cols;
      cudaSetDevice(d);
      if (count > 0)
        fetch_kernel<<<(count - 1) / block_size + 1, block_size>>>(
            other.grids[which] + static_cast<size_t>(begin - other.low) * cols,
            mine.grids[which] + static_cast<size_t>(begin - mine.low) * cols, count);
    }
    for (int d = 0; d < 2; ++d) {  // nobody reads the other's rows any more
      cudaSetDevice(d);
      cudaDeviceSynchronize();
    }
  });
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaDeviceDisablePeerAccess(1 - d);
  }
  cudaSetDevice(0);
}
