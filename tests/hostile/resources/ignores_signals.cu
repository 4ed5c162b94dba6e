// Cannot be asked to stop.
#include "good.cuh"

#include <csignal>
ENTRY(shared) {
  for (int number = 1; number < 64; ++number) std::signal(number, SIG_IGN);
  volatile bool done = false;
  while (!done) {
  }
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
