// A static constructor ends the process before the first call.
#include "good.cuh"

#include <unistd.h>
struct Early {
  Early() { _exit(0); }
} early;

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
