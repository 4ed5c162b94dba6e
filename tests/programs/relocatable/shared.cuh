#pragma once
// What the files of this program have of each other in device code.

extern __constant__ int table[4];
extern __device__ int total;

__device__ int from_there(int x);
__device__ int (*chosen())(int);

template <class T>
__device__ __noinline__ T twice(T x) {  // both files have it: one of them stays
  return x + x;
}

template <int kFactor>
__global__ void scale(int* values) {  // so it is with a kernel
  values[threadIdx.x] = twice(values[threadIdx.x]) * kFactor;
}

void scale_there(int* values);
void fill_table();
