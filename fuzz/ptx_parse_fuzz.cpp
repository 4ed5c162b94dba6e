// The PTX front end accepts any text without a crash, a hang or excessive memory. Build with clang
// -fsanitize=fuzzer,address and run on fuzz/corpus/ptx; the tests run the corpus and simple mutations of it.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "grader/sim/ptx/cfg.h"
#include "grader/sim/ptx/ir.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto module = cudalabs::ptx::parse(text, "fuzz.ptx");
  if (!module) return 0;
  for (const auto& function : module->functions) {
    const auto cfg = cudalabs::ptx::build_cfg(function);
    if (cfg.ipdom.size() != cfg.blocks.size()) __builtin_trap();
  }
  return 0;
}
