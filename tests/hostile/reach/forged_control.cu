// Sends what only the grader may say: to write the device's memory, to read it, to call an entry, to stop.
#include "good.cuh"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>

/// The socket to the device, wherever its number is told, or where it usually stands.
static int device() {
  const char* number = std::getenv("CUDALABS_DEVICE_FD");
  return number == nullptr ? 3 : std::atoi(number);
}

ENTRY(global) {
  for (std::uint32_t kind = 0x1000; kind < 0x1010; ++kind) {
    std::uint64_t message[8] = {};
    std::memcpy(message, &kind, 4);
    for (std::size_t size = 4; size <= sizeof message; size += 4)
      (void)!send(device(), message, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  }
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
