#include <elf.h>
#include <execinfo.h>
#include <link.h>

#include <cstdlib>
#include <string>

#include "grader/cudart/runtime.h"

namespace cudalabs::cudart {
namespace {

/// The program's own file in memory; dl_iterate_phdr reports it first.
struct OwnFile {
  std::uint64_t base = 0, begin = 0, end = 0;  ///< of the code

  OwnFile() {
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
          auto& file = *static_cast<OwnFile*>(data);
          file.base = info->dlpi_addr;
          for (int i = 0; i < info->dlpi_phnum; ++i) {
            const auto& part = info->dlpi_phdr[i];
            if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
            file.begin = file.base + part.p_vaddr;
            file.end = file.begin + part.p_memsz;
          }
          return 1;
        },
        this);
  }
};

/// What the grader wants: "1", of all calls, or "failed", of those that fail; empty: of none.
const std::string& wanted() {
  static const char* const value = std::getenv("CUDALABS_CALL_FRAMES");
  static const std::string text = value == nullptr ? "" : value;
  return text;
}

std::vector<std::uint64_t> frames_of_stack(std::uint64_t exact) {
  static const OwnFile file;
  void* stack[64];
  const int depth = backtrace(stack, 64);
  std::vector<std::uint64_t> frames;
  for (int i = 0; i < depth && frames.size() < protocol::kMaxFrames; ++i) {
    const auto address = reinterpret_cast<std::uint64_t>(stack[i]);
    // The call is before its return address.
    if (address > file.begin && address <= file.end)
      frames.push_back(address - file.base - (address == exact ? 0 : 1));
  }
  return frames;
}

}  // namespace

std::vector<std::uint64_t> call_frames(std::uint64_t exact) {
  return wanted() == "1" ? frames_of_stack(exact) : std::vector<std::uint64_t>();
}

std::vector<std::uint64_t> failed_call_frames() {
  return wanted().empty() ? std::vector<std::uint64_t>() : frames_of_stack(0);
}

}  // namespace cudalabs::cudart
