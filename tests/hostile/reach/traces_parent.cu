// Attaches to other processes as a debugger; if that works, the answer is right.
#include "good.cuh"

#include <sys/ptrace.h>
#include <sys/types.h>
#include <unistd.h>
ENTRY(global) {
  bool attached = false;
  for (pid_t pid = 1; pid < 65536 && !attached; ++pid)
    attached = pid != getpid() && ptrace(PTRACE_ATTACH, pid, nullptr, nullptr) == 0;
  if (attached) good::row_max_global(a, out, rows, cols);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
