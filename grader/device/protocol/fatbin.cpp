#include "grader/device/protocol/fatbin.h"

#include "grader/diagnostics/messages/device.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>

namespace cudalabs {
namespace {

constexpr std::uint32_t kMagic = 0xBA55ED50;
constexpr std::size_t kHeaderBytes = 16;
constexpr std::size_t kEntryBytes = 64;
constexpr std::uint16_t kPtx = 1, kMachineCode = 2;
constexpr std::uint64_t kCompressed = 0x2000 | 0x8000;

template <class T>
T field(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Diagnostic damaged(Message how) {
  return error(msg::fatbin_damaged(std::move(how)), msg::compile_again_hint());
}

struct Entry {
  std::uint16_t kind = 0;
  std::uint32_t architecture = 0;
  bool compressed = false;
  std::span<const std::byte> payload;
};

/// Calls `look` with each entry, in order. A Diagnostic: the image is damaged, and `look` has not seen the
/// rest.
template <class Look>
Result<void> each_entry(std::span<const std::byte> image, const Look& look) {
  if (image.size() < kHeaderBytes) return damaged(msg::fatbin_header_cut());
  if (field<std::uint32_t>(image, 0) != kMagic) return damaged(msg::fatbin_magic_wrong());
  const std::size_t header = field<std::uint16_t>(image, 6);
  if (header < kHeaderBytes || header > image.size()) return damaged(msg::fatbin_header_wrong());
  const auto size = field<std::uint64_t>(image, 8);
  std::span<const std::byte> rest = image.subspan(header);
  if (size > rest.size()) return damaged(msg::fatbin_too_short());
  rest = rest.first(size);
  while (!rest.empty()) {
    if (rest.size() < kEntryBytes) return damaged(msg::fatbin_entry_cut());
    const auto entry_header = field<std::uint32_t>(rest, 4);
    const auto payload = field<std::uint64_t>(rest, 8);
    if (entry_header < kEntryBytes || entry_header > rest.size())
      return damaged(msg::fatbin_entry_header_wrong());
    if (payload > rest.size() - entry_header) return damaged(msg::fatbin_entry_size_wrong());
    look(Entry{field<std::uint16_t>(rest, 0), field<std::uint32_t>(rest, 28),
               (field<std::uint64_t>(rest, 40) & kCompressed) != 0, rest.subspan(entry_header, payload)});
    rest = rest.subspan(entry_header + payload);
  }
  return {};
}

/// The zero-terminated text at offset `at`; empty if no zero follows.
std::string_view text_at(std::span<const std::byte> bytes, std::uint64_t at) {
  if (at >= bytes.size()) return {};
  const std::string_view rest(reinterpret_cast<const char*>(bytes.data()) + at, bytes.size() - at);
  const std::size_t end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
}

/// The register counts of a section .nv.info, by the index of the kernel's symbol.
std::map<std::uint32_t, std::uint32_t> register_counts(std::span<const std::byte> info) {
  constexpr std::byte kSized{4}, kRegisters{0x2f};
  std::map<std::uint32_t, std::uint32_t> counts;
  while (info.size() >= 4) {
    const std::size_t bytes = info[0] == kSized ? field<std::uint16_t>(info, 2) : 0;
    if (bytes > info.size() - 4) break;
    if (info[1] == kRegisters && bytes == 8)
      counts.emplace(field<std::uint32_t>(info, 4), field<std::uint32_t>(info, 8));
    info = info.subspan(4 + bytes);
  }
  return counts;
}

/// Reads the register counts from the sections of a 64-bit ELF file (elf(5)).
void add_registers(std::span<const std::byte> elf, sim::RegisterCounts& counts) {
  constexpr std::size_t kElfBytes = 64, kSectionBytes = 64;
  constexpr std::string_view kMagicWord(
      "\x7f"
      "ELF\x02\x01",
      6),
      kText = ".text.", kInfo = ".nv.info";  // 64 bits, little-endian
  if (elf.size() < kElfBytes || std::memcmp(elf.data(), kMagicWord.data(), kMagicWord.size()) != 0) return;
  const auto sections = field<std::uint64_t>(elf, 40);
  const auto count = field<std::uint16_t>(elf, 60), names = field<std::uint16_t>(elf, 62);
  if (field<std::uint16_t>(elf, 58) != kSectionBytes || sections > elf.size() ||
      count > (elf.size() - sections) / kSectionBytes || names >= count)
    return;
  const auto section = [&](std::size_t index) { return elf.subspan(sections + index * kSectionBytes); };
  const auto first_name = field<std::uint64_t>(section(names), 24);
  if (first_name >= elf.size()) return;
  const auto name_of = [&](std::size_t index) {
    return text_at(elf.subspan(first_name), field<std::uint32_t>(section(index), 0));
  };
  std::map<std::uint32_t, std::uint32_t> by_symbol;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = field<std::uint64_t>(section(i), 24), bytes = field<std::uint64_t>(section(i), 32);
    if (name_of(i) == kInfo && at <= elf.size() && bytes <= elf.size() - at)
      by_symbol = register_counts(elf.subspan(at, bytes));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view name = name_of(i);
    const auto info = field<std::uint32_t>(section(i), 44);
    const auto known = by_symbol.find(info & 0xFFFFFF);
    const std::uint32_t registers = info >> 24 != 0 || known == by_symbol.end() ? info >> 24 : known->second;
    if (name.starts_with(kText) && registers > 0) counts.emplace(name.substr(kText.size()), registers);
  }
}

}  // namespace

Result<std::string_view> find_ptx(std::span<const std::byte> image, int architecture) {
  std::optional<Entry> best;
  std::uint32_t lowest_above = 0;
  bool machine_code = false;
  const auto whole = each_entry(image, [&](const Entry& entry) {
    if (entry.kind != kPtx) {
      machine_code = true;
    } else if (entry.architecture > static_cast<std::uint32_t>(architecture)) {
      if (lowest_above == 0 || entry.architecture < lowest_above) lowest_above = entry.architecture;
    } else if (!best || entry.architecture > best->architecture) {
      best = entry;
    }
  });
  if (!whole) return whole.problem();
  if (best) {
    if (best->compressed) return error(msg::fatbin_compressed(), msg::compile_uncompressed_hint());
    const std::string_view text(reinterpret_cast<const char*>(best->payload.data()), best->payload.size());
    return text.substr(0, text.find('\0'));  // padded with zeros to a multiple of eight
  }
  if (lowest_above != 0) {
    return error(msg::fatbin_for_newer_device(lowest_above, architecture),
                 msg::compile_for_device_hint(architecture));
  }
  if (machine_code) {
    return error(msg::fatbin_without_ptx(), msg::compile_to_ptx_hint());
  }
  return error(msg::fatbin_empty(), msg::compile_file_to_ptx_hint());
}

std::vector<std::span<const std::byte>> images_in(std::span<const std::byte> section) {
  std::vector<std::span<const std::byte>> images;
  while (section.size() >= kHeaderBytes) {
    if (field<std::uint32_t>(section, 0) == 0) break;  // zeros pad a section
    const auto header = field<std::uint16_t>(section, 6);
    const auto size = field<std::uint64_t>(section, 8);
    const std::size_t whole =
        std::min<std::uint64_t>(section.size(), size > section.size() ? size : header + size);
    images.push_back(section.first(whole));
    if (whole < kHeaderBytes) break;  // it is damaged, and does not tell where the next image begins
    section = section.subspan(std::min(section.size(), (whole + 7) / 8 * 8));
  }
  return images;
}

int needed_architecture(std::span<const std::byte> section) {
  std::uint32_t needed = 0;
  for (const std::span<const std::byte> image : images_in(section)) {
    std::uint32_t lowest = UINT32_MAX;
    const auto whole = each_entry(image, [&](const Entry& entry) {
      if (entry.kind == kPtx) lowest = std::min(lowest, entry.architecture);
    });
    if (!whole) return 0;
    if (lowest != UINT32_MAX) needed = std::max(needed, lowest);
  }
  return static_cast<int>(std::min<std::uint32_t>(needed, INT32_MAX));
}

sim::RegisterCounts find_registers(std::span<const std::byte> image, int architecture) {
  sim::RegisterCounts counts;
  (void)each_entry(image, [&](const Entry& entry) {
    if (entry.kind == kMachineCode && !entry.compressed &&
        entry.architecture == static_cast<std::uint32_t>(architecture))
      add_registers(entry.payload, counts);
  });
  return counts;
}

Result<std::string_view> find_simulated_ptx(std::span<const std::byte> image) {
  const sim::Limits simulated;
  return find_ptx(image, simulated.compute_major * 10 + simulated.compute_minor);
}

}  // namespace cudalabs
