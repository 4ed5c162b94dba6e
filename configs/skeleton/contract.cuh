#pragma once
// @LAB@ @VARIANT@: the functions that @ENTRY@.cu must define. Do not change this file: the grader compiles your
// solution with its own copy.
//
// TODO: what the parameters are, and what is right: `x` and `y` are addresses in the GPU's global memory, with n elements
// each. n >= 0.
// What `y` holds before the call is not defined. Each function launches its kernels and returns; it need not wait for
// them. It must leave `x` unchanged.

/// Straight from global memory.
void @ENTRY@_global(const float* x, float* y, int n);

/// Through a tile in shared memory.
void @ENTRY@_shared(const float* x, float* y, int n);
