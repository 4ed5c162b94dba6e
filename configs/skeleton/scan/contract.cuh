#pragma once
// @LAB@ @VARIANT@: the function that @ENTRY@.cu must define. Do not change this file: the grader compiles your
// solution with its own copy.
//
// `x` and `y` are addresses in the GPU's global memory, with n elements each. n >= 0. y[i] becomes
// x[0] + x[1] + ... + x[i]. What y holds before the call is not defined. The function must leave `x` unchanged. All its
// blocks have 256 threads.

/// A scan of each block, and of the blocks' sums.
void @ENTRY@_blocks(const int* x, long long* y, int n);
