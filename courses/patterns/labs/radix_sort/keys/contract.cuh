#pragma once
// radix_sort keys, radix sort: the functions that radix_sort.cu must define. Do not change this file: the grader compiles
// your solution with its own copy.
//
// `keys` is an address in the GPU's global memory. After the call its n numbers stand in ascending order. They may take
// any value of 32 bits, and several may be equal. n >= 0. Each function launches its kernels and returns; it need not
// wait for them, and it frees what it allocates.

/// One bit a pass: keys with a 0 first, then those with a 1, each in the order in which they stood.
void radix_sort_bits(unsigned* keys, int n);

/// Four bits a pass: the numbers of keys with each digit say where those of a block go.
void radix_sort_digits(unsigned* keys, int n);
