// Names of kernels and symbols, which a submission chooses: demangling takes bounded time and memory.

#include <cstddef>
#include <cstdint>
#include <string>

#include "grader/sim/base/demangle.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string name(reinterpret_cast<const char*>(data), size);
  const std::string base = cudalabs::sim::demangle("_Z" + name, true);
  const std::string full = cudalabs::sim::demangle("_Z" + name, false);
  if (base.size() > full.size() + name.size() + 2) __builtin_trap();
  return 0;
}
