#pragma once
// lab1 variant1, table of sin(sqrt(x)): the functions that table.cu must define. Do not change this file: the
// grader compiles your solution with its own copy.
//
// `grid` and `y` are addresses in the GPU's global memory. grid[0] is the first x, grid[1] the step, both
// positive. y has n elements: y[i] = sin(sqrt(grid[0] + i * grid[1])). n >= 0.
// With t = sqrt(x) and u = 2^-24, an answer is right if it is off by no more than 8 u (1 + t), about half
// a millionth near x = 0. That is what it takes to compute x and t in float (each relative error u of t
// moves the sine by up to u t) and to use the fast intrinsic __sinf, whose error the CUDA C++ Programming
// Guide gives as 2^-21.41, about 6 u, for angles up to pi. Adding up x step by step, or in half
// precision, is off by more.
// Each function launches its kernels and returns; it need not wait for them. It must leave `grid` unchanged.
// Every call brings another grid.

/// Start and step are read from global memory.
void table_global(const float* grid, float* y, int n);

/// Start and step are read from constant memory, into which the function copies them
/// before it launches the kernel.
void table_constant(const float* grid, float* y, int n);
