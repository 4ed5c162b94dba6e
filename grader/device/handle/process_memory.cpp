#include "grader/device/handle/process_memory.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace cudalabs {
namespace {

constexpr std::uint64_t kOwn = std::uint64_t{1} << 30;      ///< what a device takes beside its memory
constexpr std::uint64_t kLeast = std::uint64_t{512} << 20;  ///< with less nothing can be graded

/// The number in a file of the kernel that holds nothing else; none if it is "max" or there is no such file.
std::uint64_t number_in(const char* file) {
  std::uint64_t number = UINT64_MAX;
  if (std::ifstream in(file); !(in >> number)) return UINT64_MAX;
  return number;
}

std::uint64_t available() {
  std::uint64_t kibibytes = 0, free = UINT64_MAX;
  std::ifstream lines("/proc/meminfo");
  for (std::string word; lines >> word;) {
    if (word == "MemAvailable:" && lines >> kibibytes) free = kibibytes << 10;
  }
  const std::uint64_t most = number_in("/sys/fs/cgroup/memory.max");  // a container's own group
  const std::uint64_t used = number_in("/sys/fs/cgroup/memory.current");
  if (most != UINT64_MAX && used <= most) free = std::min(free, most - used);
  return free;
}

}  // namespace

std::uint64_t process_memory(const DeviceSetup& setup, bool& is_short) {
  // What watches a device's memory keeps up to as much again; a card has memory of its own.
  const bool bounded = setup.kind == DeviceKind::Simulator && setup.memory_bytes < UINT64_MAX / 4;
  const std::uint64_t wanted = bounded ? 2 * setup.memory_bytes + kOwn : UINT64_MAX;
  const std::uint64_t spare = available();
  const std::uint64_t most = std::max(kLeast, spare - spare / 4);
  is_short = bounded && most < wanted;
  return std::min(wanted, most);
}

}  // namespace cudalabs
