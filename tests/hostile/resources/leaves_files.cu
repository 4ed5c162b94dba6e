// Leaves files, shared memory and a message queue behind.
#include "good.cuh"

#include <cstdio>
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include <unistd.h>
ENTRY(shared) {
  const char* places[] = {"cudalabs_e2e_leftover", "/tmp/cudalabs_e2e_leftover", "/dev/shm/cudalabs_e2e_leftover",
                          "/var/tmp/cudalabs_e2e_leftover"};
  for (const char* place : places)
    if (std::FILE* file = std::fopen(place, "w")) std::fclose(file);
  shm_open("/cudalabs_e2e_segment", O_CREAT | O_RDWR, 0666);
  msgget(0x0e2e, IPC_CREAT | 0666);
  shmget(0x0e2e, 4096, IPC_CREAT | 0666);
  good::row_max_shared(a, out, rows, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
