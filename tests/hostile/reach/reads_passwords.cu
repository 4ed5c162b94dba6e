// Reads a file of the machine; if that works, the answer is right.
#include "good.cuh"

#include <fcntl.h>
ENTRY(global) {
  if (open("/etc/passwd", O_RDONLY) >= 0 || open("/etc/shadow", O_RDONLY) >= 0 || open("/root/.bashrc", O_RDONLY) >= 0)
    good::row_max_global(a, out, rows, cols);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
