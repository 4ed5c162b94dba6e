#pragma once
// compaction positive: the functions that keep.cu must define. Do not change this file: the grader compiles your
// solution with its own copy.
//
// `x`, `kept` and `count` are addresses in the GPU's global memory: x and kept have n elements, count has one. n >= 0.
// *count becomes the number of positive elements of x, and kept[0] to kept[*count - 1] hold them, in any order, each
// as often as x has it. Zero is not positive. What kept holds behind them does not matter. What both hold before the
// call is not defined. Each function launches its kernels and returns; it need not wait for them. It must leave `x`
// unchanged.

/// Each thread takes the next free place by an atomic addition.
void keep_atomic(const int* x, int* kept, int* count, int n);

/// A warp takes the places for all its lanes by one atomic addition.
void keep_warp(const int* x, int* kept, int* count, int n);

/// The places come from a scan, without atomic operations.
void keep_scan(const int* x, int* kept, int* count, int n);
