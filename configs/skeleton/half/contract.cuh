#pragma once
// @LAB@ @VARIANT@: the function that @ENTRY@.cu must define. Do not change this file: the grader compiles your solution with
// its own copy.
//
// Each number of x becomes the product of it and `factor`. For a pair p of the new x, sums is (p.x, p.y, p.x + p.y, 0), and
// signs is -1, 0 or 1: the sign of p.x.
#include <cuda_fp16.h>

/// One thread a pair.
void @ENTRY@_pairs(half2* x, half factor, float4* sums, signed char* signs, int n);
