// @LAB@ @VARIANT@. Read handout.md first.
#include "contract.cuh"

// TODO: write a kernel in which each thread scales one pair.

void @ENTRY@_pairs(half2* x, half factor, float4* sums, signed char* signs, int n) {
  // TODO: launch it. n may be 0.
  (void)x, (void)factor, (void)sums, (void)signs, (void)n;
}
