#pragma once
// The memory of this process, read without allocating: for signal handlers, and where memory is short.

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace cudalabs {

inline constexpr const char* kStatm = "/proc/self/statm";

struct OwnPages {
  std::uint64_t resident = 0, data = 0;
};

/// `statm`: an open descriptor of kStatm. All 0 if it cannot be read.
inline OwnPages read_own_pages(int statm) {
  std::array<char, 256> text{};
  const auto bytes = ::pread(statm, text.data(), text.size() - 1, 0);
  std::array<std::uint64_t, 6> fields{};
  const char* at = text.data();
  const char* const end = at + std::max<ssize_t>(bytes, 0);
  for (std::uint64_t& field : fields) {
    while (at != end && *at == ' ') ++at;
    at = std::from_chars(at, end, field).ptr;
  }
  return {fields[1], fields[5]};
}

}  // namespace cudalabs
