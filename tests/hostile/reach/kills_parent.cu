// Kills the process that started it.
#include "good.cuh"

#include <csignal>
#include <unistd.h>
ENTRY(shared) {
  kill(getppid(), SIGKILL);
  good::row_max_shared(a, out, rows, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
