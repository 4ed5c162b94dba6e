#pragma once
// @LAB@ @VARIANT@: the functions that @ENTRY@.cu must define. Do not change this file: the grader compiles your
// solution with its own copy.
//
// `x`, `kept` and `count` are addresses in the GPU's global memory: x and kept have n elements, count has one. n >= 0.
// kept[0] to kept[*count - 1] hold the positive elements of x, in any order, and *count is their number. What
// kept holds behind them does not matter. What both hold before the call is not defined. The functions must leave `x`
// unchanged.

/// Each thread takes the next free place.
void @ENTRY@_atomic(const int* x, int* kept, int* count, int n);

/// The places come from a scan of each block, without atomic operations.
void @ENTRY@_scan(const int* x, int* kept, int* count, int n);
