// bfs frontiers, the reference solution: breadth-first search over all vertices, and by queues.
#include "contract.cuh"

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

constexpr int block_size = 256;
constexpr int lanes = 8;              // for a vertex of the queue
constexpr int queue_block_size = 64;  // a level is often short: small blocks spread it over the card

static int blocks_for(int count, int block) { return (count - 1) / block + 1; }

__device__ int thread_number() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

template <class T>
static T* allocate(int count) {
  T* memory = nullptr;
  CHECK(cudaMalloc(&memory, static_cast<size_t>(count) * sizeof(T)));
  return memory;
}

// No vertex but the source is reached.
__global__ void begin_kernel(int* depth, int source, int vertices) {
  const int v = thread_number();
  if (v < vertices) depth[v] = v == source ? 0 : -1;
}

// The vertices of this level mark their neighbours. Threads that mark the same one store the same value.
__global__ void mark_kernel(const int* first, const int* neighbours, const int* depth, bool* marked,
                            int level, int vertices) {
  const int v = thread_number();
  if (v >= vertices || depth[v] != level) return;
  const int end = first[v + 1];
  for (int k = first[v]; k < end; ++k) marked[neighbours[k]] = true;
}

// Marked vertices that no earlier level has reached are the next level. A kernel of its own: while marks are made,
// nobody may change depths that others read.
__global__ void reach_kernel(int* depth, const bool* marked, int* more, int level, int vertices) {
  const int v = thread_number();
  if (v >= vertices || !marked[v] || depth[v] >= 0) return;
  depth[v] = level + 1;
  *more = 1;
}

void bfs_levels(const int* first, const int* neighbours, int source, int* depth, int vertices,
                int /*entries*/) {
  const int blocks = blocks_for(vertices, block_size);
  bool* marked = allocate<bool>(vertices);
  int* more = allocate<int>(1);
  CHECK(cudaMemset(marked, 0, static_cast<size_t>(vertices) * sizeof *marked));
  begin_kernel<<<blocks, block_size>>>(depth, source, vertices);
  int go_on = 1;
  for (int level = 0; go_on != 0; ++level) {
    CHECK(cudaMemset(more, 0, sizeof *more));
    mark_kernel<<<blocks, block_size>>>(first, neighbours, depth, marked, level, vertices);
    reach_kernel<<<blocks, block_size>>>(depth, marked, more, level, vertices);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&go_on, more, sizeof go_on, cudaMemcpyDeviceToHost));
  }
  CHECK(cudaFree(marked));
  CHECK(cudaFree(more));
}

// A few lanes for each vertex of the queue share its neighbours, so that no thread waits for many atomic operations in
// turn. Of all that reach a vertex at the same time, atomicCAS tells one that it was the first: this one puts the vertex
// into the next queue.
__global__ void advance_kernel(const int* first, const int* neighbours, int* depth, const int* queue,
                               int length, int* next, int* next_length, int level) {
  const int i = thread_number() / lanes, lane = thread_number() % lanes;
  if (i >= length) return;
  const int v = queue[i], end = first[v + 1];
  for (int k = first[v] + lane; k < end; k += lanes) {
    const int w = neighbours[k];
    if (atomicCAS(&depth[w], -1, level + 1) == -1) next[atomicAdd(next_length, 1)] = w;
  }
}

void bfs_queues(const int* first, const int* neighbours, int source, int* depth, int vertices,
                int /*entries*/) {
  int *queue = allocate<int>(vertices), *next = allocate<int>(vertices), *next_length = allocate<int>(1);
  begin_kernel<<<blocks_for(vertices, block_size), block_size>>>(depth, source, vertices);
  CHECK(cudaMemcpy(queue, &source, sizeof source, cudaMemcpyHostToDevice));
  int length = 1;
  for (int level = 0; length > 0; ++level) {
    CHECK(cudaMemset(next_length, 0, sizeof *next_length));
    advance_kernel<<<blocks_for(length, queue_block_size / lanes), queue_block_size>>>(
        first, neighbours, depth, queue, length, next, next_length, level);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&length, next_length, sizeof length, cudaMemcpyDeviceToHost));
    std::swap(queue, next);
  }
  CHECK(cudaFree(queue));
  CHECK(cudaFree(next));
  CHECK(cudaFree(next_length));
}
