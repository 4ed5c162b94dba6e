// Fat binaries: for any bytes, the PTX that is found lies inside them.

#include <cstddef>
#include <cstdint>

#include "grader/device/protocol/fatbin.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span image(reinterpret_cast<const std::byte*>(data), size);
  const auto ptx = cudalabs::find_ptx(image, 80);
  if (ptx) {
    const auto* begin = reinterpret_cast<const char*>(data);
    if (!ptx->empty() && (ptx->data() < begin || ptx->data() + ptx->size() > begin + size)) __builtin_trap();
    volatile char sink = 0;
    for (const char c : *ptx) sink = static_cast<char>(sink ^ c);
  }
  // Copying the names lets the sanitizers check that they lie inside the image.
  for (const auto& [kernel, registers] : cudalabs::find_registers(image, 80)) {
    if (kernel.size() > size || registers == 0 || registers > 255) __builtin_trap();
  }
  return 0;
}
