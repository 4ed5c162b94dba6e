// lab5 variant3, the reference solution: the sum of doubles, five times. How stands in sum.cuh.
#include "contract.cuh"
#include "sum.cuh"

void sum_interleaved(const double* x, double* out, int n) { interleaved(x, out, n); }
void sum_sequential(const double* x, double* out, int n) { sequential(x, out, n); }
void sum_unrolled(const double* x, double* out, int n) { unrolled(x, out, n); }
void sum_grid_stride(const double* x, double* out, int n) { grid_stride(x, out, n); }
void sum_shuffle(const double* x, double* out, int n) { shuffle(x, out, n); }
