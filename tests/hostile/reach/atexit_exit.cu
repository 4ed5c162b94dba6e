// Ends the process with success at its exit, having done nothing.
#include "good.cuh"

#include <cstdlib>
#include <unistd.h>
ENTRY(global) {
  std::atexit([] { _exit(0); });
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
