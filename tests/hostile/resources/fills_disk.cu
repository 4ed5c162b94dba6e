// Writes a file without end, wherever it may.
#include "good.cuh"

#include <cstdio>
#include <cstring>
ENTRY(shared) {
  static char block[1 << 20];
  std::memset(block, 'x', sizeof block);
  const char* places[] = {"flood", "/tmp/cudalabs_e2e_flood", "/dev/shm/cudalabs_e2e_flood", "/var/tmp/cudalabs_e2e_flood"};
  for (const char* place : places) {
    std::FILE* file = std::fopen(place, "w");
    for (int i = 0; file != nullptr && i < 16384; ++i)
      if (std::fwrite(block, 1, sizeof block, file) != sizeof block) break;
    if (file != nullptr) std::fclose(file);
  }
  good::row_max_shared(a, out, rows, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
