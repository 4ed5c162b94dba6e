// Speaks the device's protocol itself (one datagram is a 32-bit kind and its fields), with sizes, offsets and handles
// chosen to overflow whatever adds or multiplies them. These are well-formed requests that can only fail; the work is
// done properly afterwards.
#include "good.cuh"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <sys/socket.h>

static void request(std::uint32_t kind, std::initializer_list<std::uint64_t> longs, std::uint32_t last) {
  const char* number = std::getenv("CUDALABS_DEVICE_FD");
  if (number == nullptr) return;
  char message[256], reply[65536];
  std::memcpy(message, &kind, 4);
  std::size_t size = 4;
  for (std::uint64_t value : longs) std::memcpy(message + size, &value, 8), size += 8;
  std::memcpy(message + size, &last, 4), size += 4;
  if (send(std::atoi(number), message, size, MSG_NOSIGNAL) == static_cast<ssize_t>(size))
    (void)!recv(std::atoi(number), reply, sizeof reply, 0);
}

ENTRY(global) {
  const std::uint32_t copy_in = 0x108, copy_out = 0x109;
  const std::uint64_t huge = ~std::uint64_t{0}, half = std::uint64_t{1} << 63, step = std::uint64_t{1} << 32;
  const std::uint64_t target = reinterpret_cast<std::uintptr_t>(out);
  for (const std::uint32_t kind : {copy_in, copy_out}) {
    request(kind, {target, 4, 4, 1, huge}, 0);         // offset past the staging buffer
    request(kind, {target, 4, 4, 1, huge - 3}, 0);     // offset + width wraps to 0
    request(kind, {target, step, step, step, 0}, 0);   // width * rows wraps to 0
    request(kind, {target, half, 1, 3, 0}, 0);         // pitch * rows wraps
    request(kind, {huge - 3, 8, 8, 1, 0}, 0);          // address + width wraps
    request(kind, {target, 0, huge, 1, 0}, 0);         // everything at once
    request(kind, {target, 4, 4, 1, 0}, 0xfffffff0u);  // a stream that does not exist
  }
  good::row_max_global(a, out, rows, cols);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
