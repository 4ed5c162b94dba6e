// Sends bytes to the device for ever.
#include "good.cuh"

#include <cstring>
#include <sys/socket.h>
ENTRY(global) {
  char message[512];
  std::memset(message, 1, sizeof message);
  for (;;)
    for (int fd = 3; fd < 64; ++fd) (void)!send(fd, message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
