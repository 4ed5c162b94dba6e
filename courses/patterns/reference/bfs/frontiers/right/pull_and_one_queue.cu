// bfs frontiers: vertices that are not reached yet look for a neighbour in the last level; and one queue for all levels,
// with a warp for each vertex and a bit for each vertex that is in the queue.
#include "contract.cuh"

#include <utility>

constexpr int block_size = 256;

static int blocks_for(long long count) { return static_cast<int>((count - 1) / block_size + 1); }

__device__ long long thread_number() { return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; }

// old_level and new_level say which vertices are in the last level and in this one.
__global__ void pull_kernel(const int* first, const int* neighbours, int* depth, const char* old_level,
                            char* new_level, int* more, int level, int vertices) {
  const int v = static_cast<int>(thread_number());
  if (v >= vertices) return;
  bool found = false;
  if (depth[v] < 0)
    for (int k = first[v]; k < first[v + 1] && !found; ++k) found = old_level[neighbours[k]] != 0;
  new_level[v] = found;
  if (!found) return;
  depth[v] = level;
  *more = 1;
}

__global__ void begin_kernel(int* depth, char* old_level, int source, int vertices) {
  const int v = static_cast<int>(thread_number());
  if (v >= vertices) return;
  depth[v] = v == source ? 0 : -1;
  old_level[v] = v == source;
}

void bfs_levels(const int* first, const int* neighbours, int source, int* depth, int vertices, int) {
  char *old_level = nullptr, *new_level = nullptr;
  int *more = nullptr, go_on = 1;
  cudaMalloc(&old_level, vertices);
  cudaMalloc(&new_level, vertices);
  cudaMalloc(&more, sizeof *more);
  begin_kernel<<<blocks_for(vertices), block_size>>>(depth, old_level, source, vertices);
  for (int level = 1; go_on != 0; ++level) {
    cudaMemset(more, 0, sizeof *more);
    pull_kernel<<<blocks_for(vertices), block_size>>>(first, neighbours, depth, old_level, new_level, more,
                                                      level, vertices);
    cudaMemcpy(&go_on, more, sizeof go_on, cudaMemcpyDeviceToHost);
    std::swap(old_level, new_level);
  }
  cudaFree(old_level);
  cudaFree(new_level);
  cudaFree(more);
}

// The level lies in the queue from `begin` to `end`; new vertices follow after it.
__global__ void advance_kernel(const int* first, const int* neighbours, int* depth, unsigned* in_queue,
                               int* queue, int begin, int end, int* length, int level) {
  const long long place = begin + thread_number() / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (place >= end) return;
  const int v = queue[place];
  if (lane == 0) depth[v] = level;
  for (int k = first[v] + lane; k < first[v + 1]; k += 32) {
    const int w = neighbours[k];
    const unsigned bit = 1u << (w % 32);
    if ((atomicOr(&in_queue[w / 32], bit) & bit) == 0) queue[atomicAdd(length, 1)] = w;
  }
}

__global__ void first_kernel(unsigned* in_queue, int* queue, int* length, int source) {
  in_queue[source / 32] = 1u << (source % 32);
  queue[0] = source;
  *length = 1;
}

void bfs_queues(const int* first, const int* neighbours, int source, int* depth, int vertices, int) {
  unsigned* in_queue = nullptr;
  int *queue = nullptr, *length = nullptr;
  const size_t words = static_cast<size_t>(vertices - 1) / 32 + 1;
  cudaMalloc(&in_queue, words * sizeof *in_queue);
  cudaMalloc(&queue, static_cast<size_t>(vertices) * sizeof *queue);
  cudaMalloc(&length, sizeof *length);
  cudaMemset(in_queue, 0, words * sizeof *in_queue);
  cudaMemset(depth, 0xff, static_cast<size_t>(vertices) * sizeof *depth);
  first_kernel<<<1, 1>>>(in_queue, queue, length, source);
  for (int level = 0, begin = 0, end = 1; begin < end; ++level) {
    advance_kernel<<<blocks_for(32LL * (end - begin)), block_size>>>(first, neighbours, depth, in_queue,
                                                                     queue, begin, end, length, level);
    begin = end;
    cudaMemcpy(&end, length, sizeof end, cudaMemcpyDeviceToHost);
  }
  cudaFree(in_queue);
  cudaFree(queue);
  cudaFree(length);
}
