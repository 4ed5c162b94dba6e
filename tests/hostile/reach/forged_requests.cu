// Speaks the device's protocol itself (one datagram is a 32-bit kind and its fields), with sizes, offsets and handles
// chosen to overflow whatever adds or multiplies them. The work is done properly afterwards.
#include "good.cuh"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <sys/socket.h>

/// The socket to the device, wherever its number is told, or where it usually stands.
static int device() {
  const char* number = std::getenv("CUDALABS_DEVICE_FD");
  return number == nullptr ? 3 : std::atoi(number);
}

static void request(std::uint32_t kind, std::initializer_list<std::uint64_t> longs, std::uint32_t last) {
  char message[256], reply[65536];
  std::memcpy(message, &kind, 4);
  std::size_t size = 4;
  for (std::uint64_t value : longs) std::memcpy(message + size, &value, 8), size += 8;
  std::memcpy(message + size, &last, 4), size += 4;
  if (send(device(), message, size, MSG_NOSIGNAL) == static_cast<ssize_t>(size))
    (void)!recv(device(), reply, sizeof reply, 0);
}

ENTRY(global) {
  const std::uint32_t copy_in = 0x108, copy_out = 0x109;
  const std::uint64_t huge = ~std::uint64_t{0}, half = std::uint64_t{1} << 63, step = std::uint64_t{1} << 32;
  const std::uint64_t target = reinterpret_cast<std::uintptr_t>(out);
  const std::uint32_t kind = rows % 2 == 0 ? copy_in : copy_out;
  switch ((rows + cols) % 7) {  // one of them in each case, because the first may end the connection
    case 0: request(kind, {target, 4, 4, 1, huge}, 0); break;         // offset past the staging buffer
    case 1: request(kind, {target, 4, 4, 1, huge - 3}, 0); break;     // offset + width wraps to 0
    case 2: request(kind, {target, step, step, step, 0}, 0); break;   // width * rows wraps to 0
    case 3: request(kind, {target, half, 1, 3, 0}, 0); break;         // pitch * rows wraps
    case 4: request(kind, {huge - 3, 8, 8, 1, 0}, 0); break;          // address + width wraps
    case 5: request(kind, {target, 0, huge, 1, 0}, 0); break;         // everything at once
    case 6: request(kind, {target, 4, 4, 1, 0}, 0xfffffff0u); break;  // a stream that does not exist
  }
  good::row_max_global(a, out, rows, cols);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
