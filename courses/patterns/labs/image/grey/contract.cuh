#pragma once
// image grey: the functions that grey.cu must define. Do not change this file: the grader compiles your solution with
// its own copy.
//
// `image` and `out` are addresses in the GPU's global memory, as cudaMalloc returns them: multiples of 256. Both have
// rows x cols pixels, row by row, without gaps. rows, cols >= 0.
// Red, green and blue of a pixel of `image` are its x, y and z; w is not used. A pixel of `out` is
//
//   0.299 * x + 0.587 * y + 0.114 * z
//
// rounded up or down. What `out` holds before the call is not defined. Each function launches its kernels and
// returns; it need not wait for them. It must leave `image` unchanged.

/// One thread a pixel.
void grey_pixel(const uchar4* image, unsigned char* out, int rows, int cols);

/// A thread has four neighbouring pixels, which it loads and stores together.
void grey_vector(const uchar4* image, unsigned char* out, int rows, int cols);
