// Closes every descriptor, then goes on.
#include "good.cuh"

#include <unistd.h>
ENTRY(global) {
  for (int fd = 0; fd < 1024; ++fd) close(fd);
  good::row_max_global(a, out, rows, cols);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
