#pragma once
// @LAB@ @VARIANT@: the function that @ENTRY@.cu must define. Do not change this file: the grader compiles your solution with
// its own copy.
//
// `image` and `out` are addresses in the GPU's global memory of rows x cols pixels that lie row by row. Red, green and blue
// of a pixel are x, y and z; w is not used. A pixel of `out` is 0.299 * x + 0.587 * y + 0.114 * z, rounded up or down.
// rows, cols >= 0. The function must leave `image` unchanged.

/// One thread a pixel.
void @ENTRY@_global(const uchar4* image, unsigned char* out, int rows, int cols);
