// Looks for the course on disk; if any of it can be read, the answer is right.
#include "good.cuh"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>
ENTRY(global) {
  const char* wanted[] = {"@COURSE@/labs/lab3/variant4/oracle.cpp", "@COURSE@/reference/lab3/variant4/row_max.cu",
                          "@COURSE@/configs/labs/lab3/variant4.yaml", "@SOURCE@/grader/CMakeLists.txt", "@BIN@/grader"};
  for (const char* path : wanted)
    if (open(path, O_RDONLY) >= 0) {
      good::row_max_global(a, out, rows, cols);
      return;
    }
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
