#pragma once
// scan inclusive: the functions that scan.cu must define. Do not change this file: the grader compiles your solution
// with its own copy.
//
// `x` and `y` are addresses in the GPU's global memory, with n elements each. n >= 0. y[i] becomes
// x[0] + x[1] + ... + x[i]. No sum of neighbouring elements is too large for an int.
// What `y` holds before the call is not defined. Each function launches its kernels and returns; it need not wait
// for them. It must leave `x` unchanged. Each function scans the whole array, whatever its size.

/// Kogge and Stone: in each round every element adds the one 1, 2, 4, 8, ... places before it, in shared memory.
void scan_kogge_stone(const int* x, int* y, int n);

/// Brent and Kung: a tree of sums up and one down, in shared memory, two elements a thread.
void scan_brent_kung(const int* x, int* y, int n);

/// The lanes of a warp exchange registers.
void scan_shuffle(const int* x, int* y, int n);
