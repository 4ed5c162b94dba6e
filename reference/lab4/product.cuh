#pragma once
// What the reference solutions of lab4 variant1 and variant3 share: the product of two matrices, three times, of floats
// or of doubles. The grader shows this file to the compiler for these references alone; with plain nvcc it is
// nvcc -c -arch=sm_80 -I reference/lab4 -I labs/lab4/variant1 reference/lab4/variant1/matmul.cu
#include <cstddef>
#include <cstdio>
#include <cstdlib>

// A launch reports nothing by itself: ask, or a wrong configuration goes unseen.
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

constexpr int tile_size = 32;  // rows and columns of a tile: a warp loads one row of it

inline unsigned blocks_for(int count, int block) { return static_cast<unsigned>((count - 1) / block + 1); }

// A block for each tile of c. Tiles are numbered along x alone, the only direction of a grid that may be longer than
// 65535; a kernel finds its tile's row and column from the number.
inline unsigned tiles_of(int m, int n) { return blocks_for(m, tile_size) * blocks_for(n, tile_size); }

struct Tile {
  int row, col;  // of its first element in c
};

__device__ inline Tile tile_of_block(int n) {
  const int across = (n - 1) / tile_size + 1;
  const int number = static_cast<int>(blockIdx.x);
  return {number / across * tile_size, number % across * tile_size};
}

// One thread an element. A warp has 32 neighbours of a row of c: all lanes read one element of a, and neighbours of
// b. Every element of a is read n times, and of b m times.
template <class T>
__global__ void matmul_global_kernel(const T* a, const T* b, T* c, int m, int n, int k) {
  const Tile tile = tile_of_block(n);
  const int row = tile.row + static_cast<int>(threadIdx.y), col = tile.col + static_cast<int>(threadIdx.x);
  if (row >= m || col >= n) return;
  T sum = 0;
  for (int q = 0; q < k; ++q) sum += a[static_cast<size_t>(row) * k + q] * b[static_cast<size_t>(q) * n + col];
  c[static_cast<size_t>(row) * n + col] = sum;
}

template <class T>
void global(const T* a, const T* b, T* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;  // a grid must not be empty
  matmul_global_kernel<<<tiles_of(m, n), dim3(tile_size, tile_size)>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}

// The block walks along its rows of a and down its columns of b, tile by tile; each element that it loads is used 32
// times. as[y][q] is one element for the whole warp, bs[q][x] are 32 neighbours: no bank conflicts.
template <class T>
__global__ void matmul_shared_kernel(const T* a, const T* b, T* c, int m, int n, int k) {
  __shared__ T as[tile_size][tile_size], bs[tile_size][tile_size];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const Tile tile = tile_of_block(n);
  const int row = tile.row + y, col = tile.col + x;

  T sum = 0;
  for (int first = 0; first < k; first += tile_size) {
    // What lies outside is 0 and adds nothing.
    as[y][x] = row < m && first + x < k ? a[static_cast<size_t>(row) * k + first + x] : 0;
    bs[y][x] = first + y < k && col < n ? b[static_cast<size_t>(first + y) * n + col] : 0;
    __syncthreads();  // the tiles are complete
    for (int q = 0; q < tile_size; ++q) sum += as[y][q] * bs[q][x];
    __syncthreads();  // nobody reads them any more
  }
  if (row < m && col < n) c[static_cast<size_t>(row) * n + col] = sum;
}

template <class T>
void shared(const T* a, const T* b, T* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  matmul_shared_kernel<<<tiles_of(m, n), dim3(tile_size, tile_size)>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}

// A block of 32 x 8 threads for the same tile: each thread has four elements of a column of c. An element of bs is
// read once for four products, and four sums that do not wait for each other keep the arithmetic busy.
constexpr int block_rows = 8;
constexpr int elements = tile_size / block_rows;  // of c, a thread

template <class T>
__global__ void matmul_ilp_kernel(const T* a, const T* b, T* c, int m, int n, int k) {
  __shared__ T as[tile_size][tile_size], bs[tile_size][tile_size];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const Tile tile = tile_of_block(n);
  const int col = tile.col + x;

  T sum[elements] = {};
  for (int first = 0; first < k; first += tile_size) {
    for (int e = 0; e < elements; ++e) {
      const int r = y + e * block_rows, row = tile.row + r;
      as[r][x] = row < m && first + x < k ? a[static_cast<size_t>(row) * k + first + x] : 0;
      bs[r][x] = first + r < k && col < n ? b[static_cast<size_t>(first + r) * n + col] : 0;
    }
    __syncthreads();
    for (int q = 0; q < tile_size; ++q) {
      const T right = bs[q][x];
      for (int e = 0; e < elements; ++e) sum[e] += as[y + e * block_rows][q] * right;
    }
    __syncthreads();
  }
  for (int e = 0; e < elements; ++e) {
    const int row = tile.row + y + e * block_rows;
    if (row < m && col < n) c[static_cast<size_t>(row) * n + col] = sum[e];
  }
}

template <class T>
void ilp(const T* a, const T* b, T* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  matmul_ilp_kernel<<<tiles_of(m, n), dim3(tile_size, block_rows)>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}
