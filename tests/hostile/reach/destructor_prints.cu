// A static destructor that prints a result. The answers were right anyway.
#include "good.cuh"

#include <cstdio>
struct Late {
  ~Late() { std::puts("score: 1000000 of 100"); }
} late;

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
