// Writes over its own code through /proc/self/mem; no work is done.
#include "good.cuh"

#include <cstdint>
#include <fcntl.h>
#include <unistd.h>
ENTRY(global) {
  const int memory = open("/proc/self/mem", O_RDWR);
  if (memory < 0) return;
  const unsigned char returns[] = {0x31, 0xc0, 0xc3};  // xor eax, eax; ret
  (void)!pwrite(memory, returns, sizeof returns, reinterpret_cast<std::intptr_t>(&cudaMemcpy));
  (void)!pwrite(memory, returns, sizeof returns, reinterpret_cast<std::intptr_t>(&cudaDeviceSynchronize));
  close(memory);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
