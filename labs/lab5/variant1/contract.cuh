#pragma once
// lab5 variant1, sum of ints: the functions that sum.cu must define. Do not change this file: the grader
// compiles your solution with its own copy.
//
// `x` and `out` are addresses in the GPU's global memory. `x` has n elements, `out` has
// one: x[0] + ... + x[n - 1].
// n >= 0; the sum of nothing is 0.
// The sum is exact: it fits into a long long, but not into an int.
// What `out` holds before the call is not defined. Each function launches its kernels and returns; it need
// not wait for them. It must leave `x` unchanged.

/// A tree in shared memory: in each round thread t adds its right neighbour, step places away, if t
/// is a multiple of 2 * step.
void sum_interleaved(const int* x, long long* out, int n);

/// The same tree the other way round: step goes from half the block down to 1, and the
/// first step threads work.
void sum_sequential(const int* x, long long* out, int n);

/// Each thread adds two elements while it loads them; the last warp goes on without __syncthreads().
void sum_unrolled(const int* x, long long* out, int n);

/// A fixed number of blocks; each thread adds up many elements at the distance of the
/// whole grid before the tree.
void sum_grid_stride(const int* x, long long* out, int n);

/// Lanes of a warp exchange registers (__shfl_down_sync); shared memory holds one number a warp.
void sum_shuffle(const int* x, long long* out, int n);
