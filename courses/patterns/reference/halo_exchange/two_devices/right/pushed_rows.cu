// halo_exchange two_devices: the boundary rows first; they travel while the other rows are computed. By peer access a
// device writes its boundary row into the other one's halo.
#include "contract.cuh"

#include <cstddef>
#include <utility>

constexpr int block_size = 256;

struct Part {
  int device, begin, count;
  float *old_grid, *new_grid;  // a row of halo on both sides
  cudaStream_t edge, inside;
  [[nodiscard]] size_t bytes(int cols) const { return static_cast<size_t>(count + 2) * cols * sizeof(float); }
};

// Rows of a part from `first` on. `push`: what is computed is stored there, too.
__global__ void rows_kernel(const float* old_grid, float* new_grid, int cols, int first, float* push) {
  const int r = first + static_cast<int>(blockIdx.y),
            c = static_cast<int>(blockIdx.x) * block_size + static_cast<int>(threadIdx.x);
  if (c < 1 || c >= cols - 1) return;
  const size_t at = static_cast<size_t>(r) * cols + c;
  const float mean =
      (old_grid[at - cols] + old_grid[at + cols] + old_grid[at - 1] + old_grid[at + 1]) * 0.25f;
  new_grid[at] = mean;
  if (push != nullptr) push[c] = mean;
}

static void rows(const Part& part, cudaStream_t stream, int first, int count, int cols,
                 float* push = nullptr) {
  if (count > 0)
    rows_kernel<<<dim3((cols - 1) / block_size + 1, count), block_size, 0, stream>>>(
        part.old_grid, part.new_grid, cols, first, push);
}

static void begin(Part (&parts)[2], const float* from, int all_rows, int cols) {
  const int inner = all_rows - 2, upper = (inner + 1) / 2;
  parts[0].begin = 1, parts[0].count = upper;
  parts[1].begin = 1 + upper, parts[1].count = inner - upper;
  for (int d = 0; d < 2; ++d) {
    Part& part = parts[d];
    part.device = d;
    cudaSetDevice(d);
    cudaMalloc(&part.old_grid, part.bytes(cols));
    cudaMalloc(&part.new_grid, part.bytes(cols));
    cudaStreamCreateWithFlags(&part.edge, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&part.inside, cudaStreamNonBlocking);
    const float* first = from + static_cast<size_t>(part.begin - 1) * cols;
    cudaMemcpyPeer(part.old_grid, d, first, 0, part.bytes(cols));
    cudaMemcpyPeer(part.new_grid, d, first, 0, part.bytes(cols));
    cudaDeviceSynchronize();
  }
}

static void finish(Part (&parts)[2], float* to, int cols) {
  for (Part& part : parts) {
    cudaSetDevice(part.device);
    cudaDeviceSynchronize();
  }
  for (Part& part : parts) {
    cudaSetDevice(part.device);
    cudaMemcpyPeer(to + static_cast<size_t>(part.begin) * cols, 0, part.old_grid + cols, part.device,
                   static_cast<size_t>(part.count) * cols * sizeof(float));
    cudaDeviceSynchronize();
    cudaStreamDestroy(part.edge);
    cudaStreamDestroy(part.inside);
    cudaFree(part.old_grid);
    cudaFree(part.new_grid);
  }
  cudaSetDevice(0);
}

// The row of a part at the boundary, and the place of the other part's halo for it.
static int edge_of(const Part& part) { return part.device == 0 ? part.count : 1; }
static float* halo_in(const Part& other, float* grid, int cols) {
  return grid + (other.device == 0 ? static_cast<size_t>(other.count + 1) * cols : 0);
}

template <class Edge>
static void run(const float* from, float* to, int all_rows, int cols, int steps, Edge edge) {
  cudaMemcpy(to, from, static_cast<size_t>(all_rows) * cols * sizeof(float), cudaMemcpyDeviceToDevice);
  if (all_rows < 3 || cols < 3) return;
  Part parts[2];
  begin(parts, from, all_rows, cols);
  for (int step = 0; step < steps; ++step) {
    for (int d = 0; d < 2; ++d) {
      Part &part = parts[d], &other = parts[1 - d];
      cudaSetDevice(d);
      edge(part, other);
      rows(part, part.inside, d == 0 ? 1 : 2, part.count - 1, cols);
    }
    for (Part& part : parts) {  // both streams of both devices are done before the next step
      cudaSetDevice(part.device);
      cudaStreamSynchronize(part.edge);
      cudaStreamSynchronize(part.inside);
    }
    for (Part& part : parts) std::swap(part.old_grid, part.new_grid);
  }
  finish(parts, to, cols);
}

void halo_copies(const float* from, float* to, int all_rows, int cols, int steps) {
  run(from, to, all_rows, cols, steps, [cols](const Part& part, const Part& other) {
    if (part.count == 0) return;
    rows(part, part.edge, edge_of(part), 1, cols);
    cudaMemcpyPeerAsync(halo_in(other, other.new_grid, cols), other.device,
                        part.new_grid + static_cast<size_t>(edge_of(part)) * cols, part.device,
                        static_cast<size_t>(cols) * sizeof(float), part.edge);
  });
}

void halo_peer(const float* from, float* to, int all_rows, int cols, int steps) {
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaDeviceEnablePeerAccess(1 - d, 0);
  }
  cudaSetDevice(0);
  run(from, to, all_rows, cols, steps, [cols](const Part& part, const Part& other) {
    if (part.count > 0) rows(part, part.edge, edge_of(part), 1, cols, halo_in(other, other.new_grid, cols));
  });
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaDeviceDisablePeerAccess(1 - d);
  }
  cudaSetDevice(0);
}
