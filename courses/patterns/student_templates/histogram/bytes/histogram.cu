// histogram bytes. Read handout.md first.
//
// x has n bytes, counts has 256 elements. Both are in the GPU's global memory: only kernels (and cudaMemcpy) can
// read them. n may be 0; what is counts then?
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. Atomic additions in global memory.

// TODO: write a kernel in which each thread counts one byte.
//   - Two threads may have the same byte at the same time: counts[v]++ loses one of them.

void histogram_global(const unsigned char* x, int* counts, int n) {
  // TODO: what do the counters hold before the kernel? Set them, then choose the block and the grid, and launch.
  (void)x, (void)counts, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Each block counts in shared memory.

// TODO: write a kernel in which each block has 256 counters of its own in shared memory.
//   - Who sets them to 0, and who must wait for that?
//   - How many bytes should a block count so that adding its counters to the common ones pays?
//   - Who must wait before the block's counters are added to `counts`?

void histogram_shared(const unsigned char* x, int* counts, int n) {
  // TODO: launch your kernel.
  (void)x, (void)counts, (void)n;
}
