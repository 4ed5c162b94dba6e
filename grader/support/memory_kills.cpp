#include "grader/support/memory_kills.h"

#include <fstream>
#include <string>

namespace cudalabs {

std::uint64_t MemoryKills::so_far() {
  std::ifstream lines("/proc/vmstat");  // counts those of control groups, too
  std::string name;
  for (std::uint64_t number = 0; lines >> name >> number;) {
    if (name == "oom_kill") return number;
  }
  return 0;
}

}  // namespace cudalabs
