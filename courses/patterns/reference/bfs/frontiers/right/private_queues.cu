// bfs frontiers: a thread an entry that relaxes depths until nothing changes; and queues that a block collects in
// shared memory, with one place in the large queue for all of them.
#include "contract.cuh"

#include <climits>
#include <utility>

constexpr int block_size = 128;
constexpr int room = 1024;  // of a block's queue

static int blocks_for(int count) { return (count - 1) / block_size + 1; }

__device__ int thread_number() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void begin_kernel(int* depth, int source, int vertices, int nowhere) {
  const int v = thread_number();
  if (v < vertices) depth[v] = v == source ? 0 : nowhere;
}

__global__ void relax_kernel(const int* first, const int* neighbours, int* depth, int* more, int vertices,
                             int entries) {
  const int k = thread_number();
  if (k >= entries) return;
  int low = 0, high = vertices;  // the vertex of entry k
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (first[middle] <= k)
      low = middle;
    else
      high = middle;
  }
  const int mine = atomicAdd(&depth[low], 0);
  if (mine != INT_MAX && atomicMin(&depth[neighbours[k]], mine + 1) > mine + 1) *more = 1;
}

__global__ void end_kernel(int* depth, int vertices) {
  const int v = thread_number();
  if (v < vertices && depth[v] == INT_MAX) depth[v] = -1;
}

void bfs_levels(const int* first, const int* neighbours, int source, int* depth, int vertices, int entries) {
  int *more = nullptr, go_on = entries;
  cudaMalloc(&more, sizeof *more);
  begin_kernel<<<blocks_for(vertices), block_size>>>(depth, source, vertices, INT_MAX);
  while (go_on != 0) {
    cudaMemset(more, 0, sizeof *more);
    relax_kernel<<<blocks_for(entries), block_size>>>(first, neighbours, depth, more, vertices, entries);
    cudaMemcpy(&go_on, more, sizeof go_on, cudaMemcpyDeviceToHost);
  }
  end_kernel<<<blocks_for(vertices), block_size>>>(depth, vertices);
  cudaFree(more);
}

__global__ void advance_kernel(const int* first, const int* neighbours, int* depth, const int* queue,
                               int length, int* next, int* next_length, int level) {
  __shared__ int own[room], count, place;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (thread_number() < length) {
    const int v = queue[thread_number()];
    for (int k = first[v]; k < first[v + 1]; ++k) {
      const int w = neighbours[k];
      if (atomicCAS(&depth[w], -1, level + 1) != -1) continue;
      const int at = atomicAdd(&count, 1);
      if (at < room)
        own[at] = w;
      else
        next[atomicAdd(next_length, 1)] = w;  // the block's queue is full
    }
  }
  __syncthreads();
  const int kept = min(count, room);
  if (threadIdx.x == 0 && kept > 0) place = atomicAdd(next_length, kept);
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kept; i += block_size) next[place + i] = own[i];
}

void bfs_queues(const int* first, const int* neighbours, int source, int* depth, int vertices, int) {
  int *memory = nullptr, length = 1;
  cudaMalloc(&memory, (2 * static_cast<size_t>(vertices) + 1) * sizeof *memory);
  int *queue = memory, *next = memory + vertices, *next_length = memory + 2 * static_cast<size_t>(vertices);
  begin_kernel<<<blocks_for(vertices), block_size>>>(depth, source, vertices, -1);
  cudaMemcpy(queue, &source, sizeof source, cudaMemcpyHostToDevice);
  for (int level = 0; length > 0; ++level) {
    cudaMemset(next_length, 0, sizeof length);
    advance_kernel<<<blocks_for(length), block_size>>>(first, neighbours, depth, queue, length, next,
                                                       next_length, level);
    cudaMemcpy(&length, next_length, sizeof length, cudaMemcpyDeviceToHost);
    std::swap(queue, next);
  }
  cudaFree(memory);
}
