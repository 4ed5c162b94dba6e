#pragma once
// image blur: the functions that blur.cu must define. Do not change this file: the grader compiles your solution with
// its own copy.
//
// `image` and `out` are addresses in the GPU's global memory of rows x cols pixels that lie row by row, without gaps.
// rows, cols >= 0. Each of the x, y and z of a pixel of `out` is the mean of that of all pixels of `image` that lie at
// most 3 rows and 3 columns away: a square of 7 x 7 pixels, fewer at the edges, where pixels are missing. The mean is
// rounded down: the sum of the pixels divided by their number, in whole numbers. w is copied from the pixel itself.
// What `out` holds before the call is not defined. Each function launches its kernels and returns; it need not wait
// for them. It must leave `image` unchanged.

/// One thread a pixel, straight from global memory.
void blur_global(const uchar4* image, uchar4* out, int rows, int cols);

/// A tile of `image`, with the pixels around it, staged in shared memory.
void blur_tile(const uchar4* image, uchar4* out, int rows, int cols);
