#include "grader/toolchain/objects/fat_binary.h"

#include <cstdint>
#include <cstring>

namespace cudalabs {
namespace {

constexpr std::uint32_t kMagic = 0xBA55ED50;
constexpr std::size_t kHeaderBytes = 16, kEntryBytes = 64;

template <class T>
void set(std::string& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

}  // namespace

std::string fat_binary(std::string_view ptx, int architecture) {
  const std::uint64_t payload = ptx.size() / 8 * 8 + 8;  // padded, and terminated by a zero
  std::string image(kHeaderBytes + kEntryBytes + payload, '\0');
  set<std::uint32_t>(image, 0, kMagic);
  set<std::uint16_t>(image, 4, 1);
  set<std::uint16_t>(image, 6, kHeaderBytes);
  set<std::uint64_t>(image, 8, kEntryBytes + payload);
  set<std::uint16_t>(image, kHeaderBytes, 1);  // PTX
  set<std::uint16_t>(image, kHeaderBytes + 2, 0x0101);
  set<std::uint32_t>(image, kHeaderBytes + 4, kEntryBytes);
  set<std::uint64_t>(image, kHeaderBytes + 8, payload);
  set<std::uint32_t>(image, kHeaderBytes + 28, static_cast<std::uint32_t>(architecture));
  set<std::uint64_t>(image, kHeaderBytes + 40, 0x11);  // 64 bits, Linux
  std::memcpy(image.data() + kHeaderBytes + kEntryBytes, ptx.data(), ptx.size());
  return image;
}

}  // namespace cudalabs
