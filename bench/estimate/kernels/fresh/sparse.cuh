#pragma once
// Sparse matrices and graphs.
#include "vectors.cuh"

namespace fresh_kernels {

__global__ void spmv_scalar(const int* start, const int* column, const float* value, const float* x, float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = start[row]; k < start[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}
__global__ void spmv_vector(const int* start, const int* column, const float* value, const float* x, float* y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  float sum = 0;
  for (int k = start[row] + lane; k < start[row + 1]; k += 32) sum += value[k] * x[column[k]];
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}
__global__ void spmv_ell(const int* column, const float* value, const float* x, float* y, int rows, int per_row) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < per_row; ++k) sum += value[k * rows + row] * x[column[k * rows + row]];
  y[row] = sum;
}
/// Another kernel clears the frontier and marks what was found as visited.
__global__ void bfs_step(const int* start, const int* edges, const unsigned char* frontier, const unsigned char* visited,
    unsigned char* found,
                         int* cost, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || !frontier[node]) return;
  for (int k = start[node]; k < start[node + 1]; ++k) {
    const int to = edges[k];
    if (!visited[to]) {
      cost[to] = cost[node] + 1;
      found[to] = 1;
    }
  }
}
/// From the other side: who is not visited looks for a parent.
__global__ void bfs_pull(const int* start, const int* edges, const unsigned char* frontier, const unsigned char* visited,
    unsigned char* found,
                         int* cost, int nodes) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || visited[node]) return;
  for (int k = start[node]; k < start[node + 1]; ++k)
    if (frontier[edges[k]]) {
      cost[node] = cost[edges[k]] + 1;
      found[node] = 1;
      break;
    }
}
template <class T>
__global__ void floyd_warshall(T* distance, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) distance[i * n + j] = min(distance[i * n + j], distance[i * n + k] + distance[k * n + j]);
}

}  // namespace fresh_kernels
