#pragma once
// histogram bytes: the functions that histogram.cu must define. Do not change this file: the grader compiles your
// solution with its own copy.
//
// `x` and `counts` are addresses in the GPU's global memory: x has n bytes, counts has 256 elements. n >= 0.
// counts[v] becomes the number of elements of x that are equal to v, for each v from 0 to 255.
// What `counts` holds before the call is not defined. Each function launches its kernels and returns; it need not
// wait for them. It must leave `x` unchanged.

/// Each byte is counted by an atomic addition in global memory.
void histogram_global(const unsigned char* x, int* counts, int n);

/// Each block counts in shared memory, and adds what it has counted to `counts` at the end.
void histogram_shared(const unsigned char* x, int* counts, int n);
