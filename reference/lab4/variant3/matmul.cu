// lab4 variant3, the reference solution: the product of two matrices of doubles, three times. How stands in product.cuh.
#include "contract.cuh"
#include "product.cuh"

void matmul_global(const double* a, const double* b, double* c, int m, int n, int k) {
  global(a, b, c, m, n, k);
}

void matmul_shared(const double* a, const double* b, double* c, int m, int n, int k) {
  shared(a, b, c, m, n, k);
}

void matmul_ilp(const double* a, const double* b, double* c, int m, int n, int k) {
  ilp(a, b, c, m, n, k);
}
