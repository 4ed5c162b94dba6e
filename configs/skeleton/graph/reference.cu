// @LAB@ @VARIANT@, the reference solution.
#include "contract.cuh"

#include <cstdio>
#include <cstdlib>

// A launch returns no error: without this check nobody sees a wrong configuration.
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

constexpr int threads = 256;  // of a block

static int blocks_for(int n) { return (n - 1) / threads + 1; }

__global__ void begin_kernel(int* colours, unsigned long long* used, int vertices) {
  const int v = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (v >= vertices) return;
  colours[v] = -1;
  used[v] = 0;
}

// A vertex waits for its neighbours of smaller numbers that have no colour yet. An edge tells the larger of its two
// vertices whether it waits, and which colour is taken.
__global__ void look_kernel(const int* from, const int* to, const int* colours, unsigned long long* used, int* waits,
                            int edges) {
  const int e = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (e >= edges) return;
  const int a = min(from[e], to[e]), b = max(from[e], to[e]);
  if (colours[b] >= 0) return;
  if (colours[a] < 0)
    atomicExch(&waits[b], 1);
  else
    atomicOr(&used[b], 1ull << colours[a]);
}

__global__ void colour_kernel(int* colours, const unsigned long long* used, int* waits, int* left, int vertices) {
  const int v = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (v >= vertices || colours[v] >= 0) return;
  if (waits[v] != 0) {
    waits[v] = 0;
    atomicExch(left, 1);
    return;
  }
  colours[v] = __ffsll(static_cast<long long>(~used[v])) - 1;
}

void @ENTRY@_rounds(const int* from, const int* to, int* colours, int vertices, int edges) {
  if (vertices == 0) return;  // a grid must not be empty
  unsigned long long* used = nullptr;
  int *waits = nullptr, *left = nullptr, more = 1;
  CHECK(cudaMalloc(&used, static_cast<std::size_t>(vertices) * sizeof *used));
  CHECK(cudaMalloc(&waits, static_cast<std::size_t>(vertices) * sizeof *waits));
  CHECK(cudaMalloc(&left, sizeof *left));
  CHECK(cudaMemset(waits, 0, static_cast<std::size_t>(vertices) * sizeof *waits));
  begin_kernel<<<blocks_for(vertices), threads>>>(colours, used, vertices);
  while (more != 0) {
    CHECK(cudaMemset(left, 0, sizeof *left));
    if (edges > 0) look_kernel<<<blocks_for(edges), threads>>>(from, to, colours, used, waits, edges);
    colour_kernel<<<blocks_for(vertices), threads>>>(colours, used, waits, left, vertices);
    CHECK(cudaMemcpy(&more, left, sizeof more, cudaMemcpyDeviceToHost));
  }
  CHECK(cudaFree(used));
  CHECK(cudaFree(waits));
  CHECK(cudaFree(left));
}
