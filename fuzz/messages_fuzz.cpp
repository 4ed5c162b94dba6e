// Compiler messages, which a submission can influence: the result is bounded, and each message refers to an
// existing line.

#include <cstddef>
#include <cstdint>
#include <string>

#include "grader/toolchain/messages.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const cudalabs::MessageContext context{
      {{"row_max.cu", "#include <x>\n\t__global__ void f() { g(); }\n\nint main() {}\n"},
       {"tile.cuh", "#define TILE 32\n"}},
      "/submission",
      {"/usr/include", "/usr/local/cuda"}};
  const auto said = cudalabs::read_compiler_output({reinterpret_cast<const char*>(data), size}, context);
  for (const auto* list : {&said.errors, &said.warnings}) {
    if (list->size() > cudalabs::kMaxMessages) __builtin_trap();
    for (const auto& message : *list) {
      if (message.line < 0 || message.column < 0 || message.display().empty()) __builtin_trap();
    }
  }
  if (said.placed && said.errors.empty()) __builtin_trap();
  return 0;
}
