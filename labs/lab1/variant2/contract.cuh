#pragma once
// lab1 variant2, values of a polynomial: the functions that polynomial.cu must define. Do not change this
// file: the grader compiles your solution with its own copy.
//
// `x`, `c` and `y` are addresses in the GPU's global memory. x and y have n elements, c has `terms`
// coefficients: y[i] = c[0] + c[1] * x[i] + c[2] * x[i]^2 + ... + c[terms - 1] * x[i]^(terms - 1).
// n >= 0, 1 <= terms <= 256.
// It may be computed in float in any sensible way: an answer is right if it is off by no more than
// the roundings of 2 * terms + 4 operations can add up to, gamma(2 terms + 4) * (|c[0]| +
// |c[1] x[i]| + ...), gamma(n) = n u / (1 - n u), u = 2^-24. Horner's rule needs 2 (terms - 1) operations;
// the 4 are for one powf.
// Each function launches its kernels and returns; it need not wait for them. It must leave `x` and `c`
// unchanged. Every call brings other coefficients.

/// The coefficients are read from global memory.
void polynomial_global(const float* x, const float* c, float* y, int n, int terms);

/// The coefficients are read from constant memory, into which the function copies them
/// before it launches the kernel.
void polynomial_constant(const float* x, const float* c, float* y, int n, int terms);
