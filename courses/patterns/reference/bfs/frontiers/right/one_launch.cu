// bfs frontiers: all levels in one launch, whose blocks wait for each other between the levels.
#include "contract.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int block_size = 256;

// Every thread walks over the vertices. The depths of two levels lie apart until both are known: `found` takes the new
// ones, and the next step moves them over.
__global__ void levels_kernel(const int* first, const int* neighbours, int source, int* depth, int* found,
                              int* more, int vertices) {
  const auto grid = cg::this_grid();
  const int begin = static_cast<int>(grid.thread_rank()), step = static_cast<int>(grid.size());
  for (int v = begin; v < vertices; v += step) {
    depth[v] = v == source ? 0 : -1;
    found[v] = 0;
  }
  for (int level = 0;; ++level) {
    if (begin == 0) more[(level + 1) % 3] = 0;
    grid.sync();
    for (int v = begin; v < vertices; v += step)
      if (depth[v] == level)
        for (int k = first[v]; k < first[v + 1]; ++k) found[neighbours[k]] = 1;
    grid.sync();
    for (int v = begin; v < vertices; v += step)
      if (found[v] != 0 && depth[v] < 0) {
        depth[v] = level + 1;
        more[level % 3] = 1;
      }
    grid.sync();
    if (more[level % 3] == 0) return;
  }
}

// lengths[level % 3] is the length of the level's queue; the one of the level after the next is emptied.
__global__ void queues_kernel(const int* first, const int* neighbours, int source, int* depth, int* queues,
                              int* lengths, int vertices) {
  const auto grid = cg::this_grid();
  const int begin = static_cast<int>(grid.thread_rank()), step = static_cast<int>(grid.size());
  for (int v = begin; v < vertices; v += step) depth[v] = v == source ? 0 : -1;
  if (begin == 0) {
    queues[0] = source;
    lengths[0] = 1;
    lengths[1] = 0;
  }
  for (int level = 0;; ++level) {
    grid.sync();
    const int length = lengths[level % 3];
    if (length == 0) return;
    if (begin == 0) lengths[(level + 2) % 3] = 0;
    const int* queue = queues + (level % 2) * vertices;
    int* next = queues + (1 - level % 2) * vertices;
    for (int i = begin; i < length; i += step)
      for (int k = first[queue[i]]; k < first[queue[i] + 1]; ++k) {
        const int w = neighbours[k];
        if (atomicCAS(&depth[w], -1, level + 1) == -1) next[atomicAdd(&lengths[(level + 1) % 3], 1)] = w;
      }
  }
}

template <class Kernel>
static int blocks_of(Kernel kernel) {
  int processors = 0, each = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, block_size, 0);
  return processors * (each < 2 ? each : 2);
}

void bfs_levels(const int* first, const int* neighbours, int source, int* depth, int vertices, int) {
  int *found = nullptr, *more = nullptr;
  cudaMalloc(&found, static_cast<size_t>(vertices) * sizeof *found);
  cudaMalloc(&more, 3 * sizeof *more);
  cudaMemset(more, 0, 3 * sizeof *more);
  void* arguments[] = {&first, &neighbours, &source, &depth, &found, &more, &vertices};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(levels_kernel), blocks_of(levels_kernel), block_size,
                              arguments, 0, nullptr);
  cudaFree(found);
  cudaFree(more);
}

void bfs_queues(const int* first, const int* neighbours, int source, int* depth, int vertices, int) {
  int *queues = nullptr, *lengths = nullptr;
  cudaMalloc(&queues, 2 * static_cast<size_t>(vertices) * sizeof *queues);
  cudaMalloc(&lengths, 3 * sizeof *lengths);
  void* arguments[] = {&first, &neighbours, &source, &depth, &queues, &lengths, &vertices};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(queues_kernel), blocks_of(queues_kernel), block_size,
                              arguments, 0, nullptr);
  cudaFree(queues);
  cudaFree(lengths);
}
