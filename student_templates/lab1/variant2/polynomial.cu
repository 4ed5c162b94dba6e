// lab1 variant2: the values of a polynomial. Read handout.md first.
//
// x and y have n elements, c has `terms` coefficients (at most 256), all in the GPU's global memory:
// y[i] = c[0] + c[1] * x[i] + ... + c[terms - 1] * x[i]^(terms - 1). n may be 0; terms is at least 1.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. Coefficients from global memory.

// TODO: write a kernel in which each thread computes one element.
//   - Which element is this thread's? n is no multiple of anything: guard against elements past the end.
//   - How can you get the powers of x without computing each of them separately? (Look up Horner's rule.)

void polynomial_global(const float* x, const float* c, float* y, int n, int terms) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if n is 0?
  (void)x, (void)c, (void)y, (void)n, (void)terms;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Coefficients from constant memory.

// TODO: declare a __constant__ array that is long enough, and write a kernel that reads the coefficients from it.
//   - cudaMemcpyToSymbol copies into it. c is an address in the GPU's memory: which direction must you name?
//   - Every call brings other coefficients: copy each time, and only as many as there are.

void polynomial_constant(const float* x, const float* c, float* y, int n, int terms) {
  // TODO: copy the coefficients, and launch your kernel.
  (void)x, (void)c, (void)y, (void)n, (void)terms;
}
