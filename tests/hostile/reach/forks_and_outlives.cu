// Leaves a daemon behind that would go on after the grading.
#include "good.cuh"

#include <csignal>
#include <unistd.h>
ENTRY(shared) {
  static bool done = false;
  if (!done) {
    done = true;
    if (fork() == 0) {
      setsid();
      if (fork() == 0) {
        for (int fd = 0; fd < 1024; ++fd) close(fd);
        sleep(3333);
      }
      _exit(0);
    }
  }
  good::row_max_shared(a, out, rows, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
