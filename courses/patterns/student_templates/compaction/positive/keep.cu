// compaction positive. Read handout.md first.
//
// x and kept have n elements, count has one. All are in the GPU's global memory: only kernels (and cudaMemcpy) can read
// them. n may be 0; what is *count then?
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. Each thread takes the next free place.

// TODO: write a kernel in which each thread with a positive number stores it at the next free place of `kept`.
//   - What does atomicAdd return?

void keep_atomic(const int* x, int* kept, int* count, int n) {
  // TODO: what does *count hold before the kernel? Set it, then choose the block and the grid, and launch.
  (void)x, (void)kept, (void)count, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. A warp takes places for all its lanes.

// TODO: write a kernel in which one lane of each warp adds for all of them.
//   - How many lanes keep their numbers? Which of them come before this one? (__ballot_sync, __popc)
//   - How do the other lanes learn the first place? (__shfl_sync)
//   - Do all lanes of the last warp reach these functions?

void keep_warp(const int* x, int* kept, int* count, int n) {
  // TODO: launch your kernel.
  (void)x, (void)kept, (void)count, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 3. Places from a scan.

// TODO: write three kernels: each block counts its positive numbers, the counts are scanned, and each block stores its
// numbers from its first place on.
//   - What if there are more blocks than one block has threads?
//   - Which threads of a block come before this one?

void keep_scan(const int* x, int* kept, int* count, int n) {
  // TODO: launch your kernels.
  (void)x, (void)kept, (void)count, (void)n;
}
