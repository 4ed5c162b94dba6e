#pragma once
// @LAB@ @VARIANT@: the function that @ENTRY@.cu must define. Do not change this file: the grader compiles your
// solution with its own copy.
//
// `x` and `y` are addresses in the GPU's global memory, with n elements each. n >= 0. The function changes y in
// place: each y[i] becomes alpha * x[i] + y[i]. It launches its kernels and returns; it need not wait for them. It
// must leave `x` unchanged.

/// One thread an element.
void @ENTRY@_global(int n, float alpha, const float* x, float* y);
