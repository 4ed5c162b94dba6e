// Replaces itself by another program.
#include "good.cuh"

#include <unistd.h>
ENTRY(shared) {
  char name[] = "true";
  char* arguments[] = {name, nullptr};
  execv("/bin/true", arguments);
  execv("/usr/bin/true", arguments);
  _exit(0);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
