// A static constructor that never ends.
#include "good.cuh"

struct Early {
  Early() {
    volatile bool done = false;
    while (!done) {
    }
  }
} early;

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
