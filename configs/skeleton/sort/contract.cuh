#pragma once
// @LAB@ @VARIANT@: the function that @ENTRY@.cu must define. Do not change this file: the grader compiles your
// solution with its own copy.
//
// `keys` and `values` are addresses in the GPU's global memory, with n elements each. n >= 0. The function sorts the
// pairs of a key and its value in place, so that the keys do not descend. Pairs of equal keys may come in any order.

/// Each element counts those that come before it.
void @ENTRY@_ranks(int* keys, float* values, int n);
