#include "grader/course/pack/carried.h"

#include <link.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace {

constexpr const char* kThisProgram = "/proc/self/exe";
constexpr std::string_view kMark = "cuda-labs carries";
constexpr std::size_t kMarkBytes = kMark.size() + 8;  // the pack's size precedes it

Diagnostic unreadable() { return error(msg::file_refused("read", kThisProgram, std::strerror(errno))); }

/// The size of the pack that the last kMarkBytes of a program tell of; 0: there is none.
std::uint64_t pack_size(std::string_view end) {
  if (end.size() != kMarkBytes || !end.ends_with(kMark)) return 0;
  std::uint64_t size = 0;
  for (std::size_t k = 8; k-- > 0;) size = size << 8 | static_cast<std::uint8_t>(end[k]);
  return size;
}

/// Where in the program's file a constant stands.
std::optional<std::size_t> file_offset(std::string_view constant) {
  struct Search {
    std::uintptr_t address;
    std::optional<std::size_t> offset{};
  } search{reinterpret_cast<std::uintptr_t>(constant.data())};
  // The first object is the program itself.
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& search = *static_cast<Search*>(data);
        for (std::size_t k = 0; k < object->dlpi_phnum; ++k) {
          const auto& part = object->dlpi_phdr[k];
          const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
          if (part.p_type == PT_LOAD && search.address >= begin && search.address - begin < part.p_filesz)
            search.offset = part.p_offset + (search.address - begin);
        }
        return 1;
      },
      &search);
  return search.offset;
}

}  // namespace

Result<std::optional<std::string>> carried_pack() {
  std::ifstream program(kThisProgram, std::ios::binary | std::ios::ate);
  if (!program) return unreadable();
  const auto whole = static_cast<std::uint64_t>(program.tellg());
  std::string end(kMarkBytes, '\0');
  program.seekg(-static_cast<std::streamoff>(kMarkBytes), std::ios::end);
  if (!program.read(end.data(), static_cast<std::streamsize>(end.size()))) return unreadable();
  const std::uint64_t size = pack_size(end);
  if (size == 0) return std::optional<std::string>();
  if (size > whole - kMarkBytes) return error(msg::pack_damaged(), msg::take_new_copy());
  std::string pack(size, '\0');
  program.seekg(-static_cast<std::streamoff>(kMarkBytes + size), std::ios::end);
  if (!program.read(pack.data(), static_cast<std::streamsize>(size))) return unreadable();
  return std::optional(std::move(pack));
}

Result<std::string> program_carrying(std::string_view pack, std::span<const std::string_view> without) {
  std::ifstream file(kThisProgram, std::ios::binary);
  std::string program{std::istreambuf_iterator<char>(file), {}};
  if (!file || program.size() < kMarkBytes) return unreadable();
  if (const auto size = pack_size(std::string_view(program).substr(program.size() - kMarkBytes)); size > 0)
    program.resize(program.size() - kMarkBytes - std::min(size, program.size() - kMarkBytes));
  for (const std::string_view constant : without) {
    if (constant.empty()) continue;
    const auto offset = file_offset(constant);
    if (!offset || *offset > program.size() || program.size() - *offset < constant.size())
      return error(msg::program_not_like_its_file());
    std::fill_n(program.begin() + static_cast<std::ptrdiff_t>(*offset), constant.size(), '\0');
  }
  program += pack;
  for (int k = 0; k < 8; ++k) program += static_cast<char>(pack.size() >> (8 * k) & 0xff);
  return program.append(kMark);
}

}  // namespace cudalabs
