// halo_exchange two_devices, the reference solution: steps of a stencil on two devices, with copied halo rows and by peer
// access.
#include "contract.cuh"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>

// A launch reports nothing by itself: ask, or a wrong configuration goes unseen.
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

constexpr int devices = 2;
constexpr int block_cols = 64, block_rows = 4;

// The rows that one device computes: `count` of them, from row `begin` of the grid on. In its memory a row of halo lies
// before them, and one behind.
struct Part {
  int device, begin, count;
  float *old_grid, *new_grid;
};

static size_t bytes_of(int rows, int cols) { return static_cast<size_t>(rows) * cols * sizeof(float); }

// Rows without four neighbours are nobody's: they keep their values.
static void make_parts(Part (&parts)[devices], const float* from, int rows, int cols) {
  const int inner = rows - 2, half = inner / 2;
  parts[0] = {0, 1, half, nullptr, nullptr};
  parts[1] = {1, 1 + half, inner - half, nullptr, nullptr};
  for (Part& part : parts) {
    const size_t bytes = bytes_of(part.count + 2, cols);
    CHECK(cudaSetDevice(part.device));
    for (float** grid : {&part.old_grid, &part.new_grid}) {
      CHECK(cudaMalloc(grid, bytes));
      CHECK(cudaMemcpyPeer(*grid, part.device, from + static_cast<size_t>(part.begin - 1) * cols, 0, bytes));
    }
  }
}

// Puts the rows of all parts into `to`, and frees the parts' memory.
static void collect(Part (&parts)[devices], float* to, int cols) {
  for (const Part& part : parts)
    CHECK(cudaMemcpyPeer(to + static_cast<size_t>(part.begin) * cols, 0, part.old_grid + cols, part.device,
                         bytes_of(part.count, cols)));
  for (const Part& part : parts) {
    CHECK(cudaSetDevice(part.device));
    CHECK(cudaFree(part.old_grid));
    CHECK(cudaFree(part.new_grid));
  }
  CHECK(cudaSetDevice(0));
}

// A grid that has no element with four neighbours stays as it is.
static bool changes(int rows, int cols) { return rows > 2 && cols > 2; }

static dim3 grid_of(const Part& part, int cols) {
  return dim3(static_cast<unsigned>((cols - 1) / block_cols + 1),
              static_cast<unsigned>((part.count - 1) / block_rows + 1));
}

// One step of the rows of a part; those of the halo stand before the first and behind the last.
__global__ void step_kernel(const float* old_grid, float* new_grid, int count, int cols) {
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int r = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (c < 1 || c >= cols - 1 || r >= count) return;
  const size_t at = static_cast<size_t>(r + 1) * cols + c;
  new_grid[at] = (old_grid[at - cols] + old_grid[at + cols] + old_grid[at - 1] + old_grid[at + 1]) / 4;
}

// A copy between devices waits for the work of both, and later work of both waits for it.
static void exchange(const Part& upper, const Part& lower, int cols) {
  const size_t row = bytes_of(1, cols);
  CHECK(cudaMemcpyPeer(lower.old_grid, lower.device, upper.old_grid + static_cast<size_t>(upper.count) * cols,
                       upper.device, row));
  CHECK(cudaMemcpyPeer(upper.old_grid + static_cast<size_t>(upper.count + 1) * cols, upper.device,
                       lower.old_grid + cols, lower.device, row));
}

void halo_copies(const float* from, float* to, int rows, int cols, int steps) {
  CHECK(cudaMemcpy(to, from, bytes_of(rows, cols), cudaMemcpyDeviceToDevice));
  if (!changes(rows, cols)) return;
  Part parts[devices];
  make_parts(parts, from, rows, cols);
  for (int step = 0; step < steps; ++step) {
    for (Part& part : parts) {
      CHECK(cudaSetDevice(part.device));
      if (part.count > 0)
        step_kernel<<<grid_of(part, cols), dim3(block_cols, block_rows)>>>(part.old_grid, part.new_grid,
                                                                           part.count, cols);
      CHECK(cudaGetLastError());
      std::swap(part.old_grid, part.new_grid);
    }
    exchange(parts[0], parts[1], cols);
  }
  collect(parts, to, cols);
}

// The same, but the rows above the first and below the last one may lie anywhere, on the other device, too.
__global__ void reach_kernel(const float* above, const float* old_grid, const float* below, float* new_grid,
                             int count, int cols) {
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int r = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (c < 1 || c >= cols - 1 || r >= count) return;
  const size_t at = static_cast<size_t>(r + 1) * cols + c;
  const float up = r > 0 ? old_grid[at - cols] : above[c];
  const float down = r < count - 1 ? old_grid[at + cols] : below[c];
  new_grid[at] = (up + down + old_grid[at - 1] + old_grid[at + 1]) / 4;
}

void halo_peer(const float* from, float* to, int rows, int cols, int steps) {
  CHECK(cudaMemcpy(to, from, bytes_of(rows, cols), cudaMemcpyDeviceToDevice));
  if (!changes(rows, cols)) return;
  Part parts[devices];
  make_parts(parts, from, rows, cols);
  cudaEvent_t done[devices][2];  // of each device, for the last step and the one before
  for (int d = 0; d < devices; ++d) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaDeviceEnablePeerAccess(1 - d, 0));  // for the kernels of device d
    for (cudaEvent_t& event : done[d]) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  for (int step = 0; step < steps; ++step) {
    // A part with no row has only its halo, which never changes. (There is one at most, the upper.)
    const float* const above = parts[0].old_grid + static_cast<size_t>(parts[0].count) * cols;
    const float* const below = parts[1].old_grid + cols;
    const float* const first = parts[0].old_grid;
    const float* const last = parts[1].old_grid + static_cast<size_t>(parts[1].count + 1) * cols;
    for (int d = 0; d < devices; ++d) {
      Part& part = parts[d];
      CHECK(cudaSetDevice(d));
      // The other device has finished the last step: its row is complete, and it has read the row that is now written.
      if (step > 0) CHECK(cudaStreamWaitEvent(nullptr, done[1 - d][(step - 1) % 2], 0));
      if (part.count > 0)
        reach_kernel<<<grid_of(part, cols), dim3(block_cols, block_rows)>>>(
            d == 0 ? first : above, part.old_grid, d == 0 ? below : last, part.new_grid, part.count, cols);
      CHECK(cudaGetLastError());
      CHECK(cudaEventRecord(done[d][step % 2]));
    }
    for (Part& part : parts) std::swap(part.old_grid, part.new_grid);
  }
  collect(parts, to, cols);  // waits for both devices
  for (int d = 0; d < devices; ++d) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaDeviceDisablePeerAccess(1 - d));
    for (const cudaEvent_t event : done[d]) CHECK(cudaEventDestroy(event));
  }
  CHECK(cudaSetDevice(0));
}
