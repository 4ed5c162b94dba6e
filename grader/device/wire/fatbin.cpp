#include "grader/device/wire/fatbin.h"

#include <cstdint>
#include <cstring>
#include <string>

#include "grader/simulator/base/types.h"

namespace cudalabs {
namespace {

constexpr std::uint32_t kMagic = 0xBA55ED50;
constexpr std::size_t kHeaderBytes = 16;
constexpr std::size_t kEntryBytes = 64;
constexpr std::uint16_t kPtx = 1;
constexpr std::uint64_t kCompressed = 0x2000 | 0x8000;

template <class T>
T field(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Diagnostic damaged(const std::string& what) {
  return error("the program's GPU code (fat binary) is damaged: " + what, "compile the file again with nvcc");
}

}  // namespace

Result<std::string_view> find_ptx(std::span<const std::byte> image, int architecture) {
  if (image.size() < kHeaderBytes) return damaged("its header is cut short");
  if (field<std::uint32_t>(image, 0) != kMagic) return damaged("its magic number is wrong");
  const std::size_t header = field<std::uint16_t>(image, 6);
  if (header < kHeaderBytes || header > image.size()) return damaged("its header size is wrong");
  const auto size = field<std::uint64_t>(image, 8);
  std::span<const std::byte> rest = image.subspan(header);
  if (size > rest.size()) return damaged("it is shorter than its header says");
  rest = rest.first(size);

  std::string_view best;
  std::uint32_t best_architecture = 0;
  std::uint32_t lowest_above = 0;
  bool found = false, machine_code = false;
  while (!rest.empty()) {
    if (rest.size() < kEntryBytes) return damaged("an entry is cut short");
    const auto kind = field<std::uint16_t>(rest, 0);
    const auto entry_header = field<std::uint32_t>(rest, 4);
    const auto payload = field<std::uint64_t>(rest, 8);
    const auto entry_architecture = field<std::uint32_t>(rest, 28);
    const auto flags = field<std::uint64_t>(rest, 40);
    if (entry_header < kEntryBytes || entry_header > rest.size())
      return damaged("an entry's header size is wrong");
    if (payload > rest.size() - entry_header) return damaged("an entry's size is wrong");
    if (kind != kPtx) {
      machine_code = true;
    } else if (entry_architecture > static_cast<std::uint32_t>(architecture)) {
      if (lowest_above == 0 || entry_architecture < lowest_above) lowest_above = entry_architecture;
    } else if (!found || entry_architecture > best_architecture) {
      if ((flags & kCompressed) != 0) {
        return error("the program's GPU code is compressed", "compile with nvcc -no-compress");
      }
      const auto text = rest.subspan(entry_header, payload);
      best = {reinterpret_cast<const char*>(text.data()), text.size()};
      // The payload is padded with zeros to a multiple of eight.
      best = best.substr(0, best.find('\0'));
      best_architecture = entry_architecture;
      found = true;
    }
    rest = rest.subspan(entry_header + payload);
  }
  if (found) return best;
  if (lowest_above != 0) {
    return error("the program's GPU code is for compute_" + std::to_string(lowest_above) +
                     ", the device is compute_" + std::to_string(architecture),
                 "compile with nvcc -arch=compute_" + std::to_string(architecture));
  }
  if (machine_code) {
    return error("the program holds GPU machine code but no PTX", "compile with nvcc -arch=compute_80");
  }
  return error("the program holds no GPU code", "compile the file with nvcc -arch=compute_80");
}

Result<std::string_view> find_simulated_ptx(std::span<const std::byte> image) {
  const sim::Limits simulated;
  return find_ptx(image, simulated.compute_major * 10 + simulated.compute_minor);
}

}  // namespace cudalabs
