// @LAB@ @VARIANT@. Read handout.md first.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. Each thread takes the next free place.

// TODO: write a kernel in which a thread with a positive element takes the next place: atomicAdd returns it.
//   - Who sets count to zero first?

void @ENTRY@_atomic(const int* x, int* kept, int* count, int n) {
  // TODO: launch it. n may be 0: what is count then?
  (void)x, (void)kept, (void)count, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Places from a scan.

// TODO: count the positive elements of each block, add up the counts, and let each thread count those before it.

void @ENTRY@_scan(const int* x, int* kept, int* count, int n) {
  // TODO: launch your kernels.
  (void)x, (void)kept, (void)count, (void)n;
}
