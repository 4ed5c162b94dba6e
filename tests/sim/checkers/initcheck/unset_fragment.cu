// A product of matrices whose accumulator nothing has set, and one whose accumulator is zero.
#include <mma.h>

using namespace nvcuda;

using Left = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using Right = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major>;
using Sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void unset(const half* a, const half* b, float* c) {
  Left left;
  Right right;
  Sums sums;
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sums, left, right, sums);
  wmma::store_matrix_sync(c, sums, 16, wmma::mem_row_major);
}

__global__ void zero(const half* a, const half* b, float* c) {
  Left left;
  Right right;
  Sums sums;
  wmma::fill_fragment(sums, 0.f);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sums, left, right, sums);
  wmma::store_matrix_sync(c, sums, 16, wmma::mem_row_major);
}

int main() {
  half *a, *b;
  float* c;
  cudaMalloc(&a, 256 * sizeof(half));
  cudaMalloc(&b, 256 * sizeof(half));
  cudaMalloc(&c, 256 * sizeof(float));
  cudaMemset(a, 0, 256 * sizeof(half));
  cudaMemset(b, 0, 256 * sizeof(half));
  unset<<<1, 32>>>(a, b, c);
  zero<<<1, 32>>>(a, b, c);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
