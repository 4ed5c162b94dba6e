// radix_sort keys: radix sort. Read handout.md first.
//
// keys has n numbers of 32 bits, to be put into ascending order in place. n may be 0.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. One bit a pass.

// TODO: write the kernels of one pass: keys with a 0 in this bit first, then those with a 1, each in their order.
//   - How many ones stand before this key? In its block that is a scan; before the block, too.
//   - In which array do the keys end up after all passes?

void radix_sort_bits(unsigned* keys, int n) {
  // TODO: 32 passes, from the lowest bit to the highest. A grid must not be empty: what if n is 0?
  (void)keys, (void)n;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. Four bits a pass.

// TODO: write the kernels of one pass: a histogram of each block's digits in shared memory, where the keys of each digit
// and block begin, and the move.
//   - In which order must the histograms lie, so that one scan says where everything begins?
//   - How does a key know how many keys of the same digit stand before it in its block?

void radix_sort_digits(unsigned* keys, int n) {
  // TODO: 8 passes.
  (void)keys, (void)n;
}
