// scan inclusive. Read handout.md first.
//
// x and y have n elements each. Both are in the GPU's global memory: only kernels (and cudaMemcpy) can read them. n may
// be 0, and larger than any number of threads that one block has.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// The whole array: scan the sections, scan their sums, and add to each section what comes before it.

// TODO: write the kernel that adds to each section the sum of all sections before it.
//   - Which element of the scanned sums does block b need? Which block needs none?

// TODO: how are the sums scanned if there are more of them than one block takes?

// ---------------------------------------------------------------------------------------------------------------
// 1. Kogge and Stone.

// TODO: write a kernel in which a block scans its section in shared memory. In the rounds d = 1, 2, 4, ... each element
// adds the one d places before it.
//   - All threads read and write the same array: where must they wait for each other? How often in a round?
//   - Who stores the sum of the section?

void scan_kogge_stone(const int* x, int* y, int n) {
  // TODO: launch your kernels. A grid must not be empty: what if n is 0?
  (void)x, (void)y, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Brent and Kung.

// TODO: write a kernel with two elements a thread: a tree of sums up, and one down.
//   - Which elements are changed in the round of distance d? Let the first threads of the block change them.
//   - In which banks do elements lie that are 2 * d apart? What does one unused element behind each 32 change?

void scan_brent_kung(const int* x, int* y, int n) {
  // TODO: launch your kernels.
  (void)x, (void)y, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 3. Shuffles.

// TODO: write a function that scans the registers of a warp with __shfl_up_sync, and a kernel that uses it twice: for
// the elements of each warp, and for the sums of the warps.

void scan_shuffle(const int* x, int* y, int n) {
  // TODO: launch your kernels.
  (void)x, (void)y, (void)n;
}
