#pragma once
// saxpy in_place: the functions that saxpy.cu must define. Do not change this file: the grader compiles your solution
// with its own copy.
//
// `x` and `y` are addresses in the GPU's global memory, as cudaMalloc returns them: multiples of 256. Both have n
// elements. n >= 0. Each function changes y in place: y[i] becomes alpha * x[i] + y[i]. It launches its kernels and
// returns; it need not wait for them. It must leave `x` unchanged.

/// One thread an element.
void saxpy_simple(int n, float alpha, const float* x, float* y);

/// A number of threads that does not depend on n; each of them steps through the arrays.
void saxpy_grid_stride(int n, float alpha, const float* x, float* y);

/// A thread has four neighbouring elements, which it loads and stores together.
void saxpy_vector(int n, float alpha, const float* x, float* y);
