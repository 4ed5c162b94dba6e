#include <cstdio>

#include "../shared.cuh"

__constant__ int table[4];
__device__ int total = 5;

static __device__ int own = 1000;

static __device__ __noinline__ int mine(int x) { return x * 10 + own; }
static __device__ int negated(int x) { return -x; }

__device__ int from_there(int x) {
  if (x == 1) printf("thread 1 there\n");
  return mine(x);
}

__device__ int (*chosen())(int) { return negated; }

void scale_there(int* values) { scale<3><<<1, 32>>>(values); }

void fill_table() {
  const int values[4] = {7, 8, 9, 10};
  cudaMemcpyToSymbol(table, values, sizeof values);
}
