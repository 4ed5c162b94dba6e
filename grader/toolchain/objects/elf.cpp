#include "grader/toolchain/objects/elf.h"

#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include "grader/base/demangle.h"
#include "grader/diagnostics/messages/toolchain.h"

namespace cudalabs {
namespace {

constexpr std::uint64_t kMaxSymbols = 1 << 20;
// Names may overlap in the file: a small file can contain a million names of a hundred megabytes each. Longer
// names are truncated, and are then not demangled.
constexpr std::size_t kLongestName = kLongestMangled + 1;
constexpr std::size_t kAllNames = std::size_t{64} << 20;

// A copy of the T at an offset, if the bytes contain all of it.
template <class T>
std::optional<T> at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string_view part(std::string_view bytes, const Elf64_Shdr& section) {
  if (section.sh_type == SHT_NOBITS || section.sh_offset > bytes.size()) return {};
  return bytes.substr(section.sh_offset, section.sh_size);
}

std::string name_at(std::string_view names, std::uint32_t offset) {
  if (offset >= names.size()) return {};
  const auto rest = names.substr(offset, kLongestName);
  return std::string(rest.substr(0, rest.find('\0')));
}

Diagnostic damaged() { return error(msg::object_damaged()); }

/// The headers of an object's sections.
struct Sections {
  std::string_view bytes;
  std::uint64_t begin = 0, count = 0;
  std::uint32_t names = 0;  ///< number of the section with their names

  [[nodiscard]] std::uint64_t offset(std::uint64_t number) const {
    return begin + number * sizeof(Elf64_Shdr);
  }
  [[nodiscard]] std::optional<Elf64_Shdr> operator[](std::uint64_t number) const {
    return at<Elf64_Shdr>(bytes, offset(number));
  }
};

Result<Sections> sections_of(std::string_view bytes) {
  const auto header = at<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shentsize != sizeof(Elf64_Shdr)) {
    return damaged();
  }
  Sections sections{bytes, header->e_shoff, header->e_shnum, header->e_shstrndx};
  const auto first = sections[0];
  if (!first) return damaged();
  if (sections.count == 0) sections.count = first->sh_size;  // with many sections, their number is here
  if (sections.names == SHN_XINDEX) sections.names = first->sh_link;
  return sections;
}

}  // namespace

Result<ElfObject> read_elf(std::string_view bytes) {
  const auto found_sections = sections_of(bytes);
  if (!found_sections) return found_sections.problem();
  const Sections& section = *found_sections;
  std::size_t bytes_of_names = 0;
  ElfObject object;
  for (std::uint64_t number = 0; number < section.count; ++number) {
    const auto here = section[number];
    if (!here) return damaged();
    if (here->sh_flags & SHF_ALLOC) {
      const bool overflows = __builtin_add_overflow(object.static_bytes, here->sh_size, &object.static_bytes);
      if (overflows) object.static_bytes = UINT64_MAX;
    }
    if (here->sh_type != SHT_SYMTAB) continue;
    const auto strings = section[here->sh_link];
    if (here->sh_link >= section.count || !strings || here->sh_size / sizeof(Elf64_Sym) > kMaxSymbols)
      return damaged();
    const auto table = part(bytes, *here), names = part(bytes, *strings);
    for (std::uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= table.size(); offset += sizeof(Elf64_Sym)) {
      const auto symbol = at<Elf64_Sym>(table, offset);
      const auto type = ELF64_ST_TYPE(symbol->st_info), binding = ELF64_ST_BIND(symbol->st_info);
      ElfSymbol found{name_at(names, symbol->st_name), symbol->st_shndx != SHN_UNDEF, binding != STB_LOCAL,
                      binding == STB_WEAK, type == STT_OBJECT || type == STT_COMMON || type == STT_TLS};
      bytes_of_names += found.name.size();
      if (bytes_of_names > kAllNames) return damaged();
      if (found.name.empty() || type == STT_SECTION || type == STT_FILE) continue;
      object.symbols.push_back(std::move(found));
    }
  }
  return object;
}

std::string_view section_of(std::string_view bytes, std::string_view name) {
  const auto sections = sections_of(bytes);
  if (!sections) return {};
  const auto table = (*sections)[sections->names];
  if (!table) return {};
  const auto names = part(bytes, *table);
  for (std::uint64_t number = 0; number < sections->count; ++number) {
    const auto header = (*sections)[number];
    if (!header) return {};
    if (name_at(names, header->sh_name) == name) return part(bytes, *header);
  }
  return {};
}

Result<std::string> with_section(std::string object, std::string_view name, std::string_view bytes) {
  constexpr std::size_t kAlignment = 16;  // the maximum alignment of our sections
  const auto sections = sections_of(object);
  if (!sections) return sections.problem();
  const auto table = (*sections)[sections->names];
  if (!table) return damaged();
  const auto names = part(object, *table);
  for (std::uint64_t number = 0; number < sections->count; ++number) {
    auto header = (*sections)[number];
    if (!header) return damaged();
    if (name_at(names, header->sh_name) != name) continue;
    const std::uint64_t place = sections->offset(number);
    object.resize((object.size() + kAlignment - 1) / kAlignment * kAlignment);
    header->sh_offset = object.size();
    header->sh_size = bytes.size();
    std::memcpy(object.data() + place, &*header, sizeof *header);
    return object.append(bytes);
  }
  return error(msg::object_lacks_section(name));
}

}  // namespace cudalabs
