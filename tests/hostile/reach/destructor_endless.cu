// A static destructor that never ends. The answers were right, and nothing waits for it.
#include "good.cuh"

#include <csignal>
struct Late {
  ~Late() {
    std::signal(SIGTERM, SIG_IGN);
    volatile bool done = false;
    while (!done) {
    }
  }
} late;

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
