// Misaligned copies from global to shared memory.

#include "tests/sim/lower/refusal_of.h"
#include "tests/sim/text_kernel.h"

namespace cudalabs::sim {

/// Reads 4 of 16 bytes and fills the rest with zeros; the address must be aligned to 16.
TEST_CASE("a copy that reads a part is aligned to the whole", "[async]") {
  for (const auto& [offset, fault] : {std::pair{"4092", "misaligned"}, std::pair{"4096", ""}}) {
    TextKernel text(kTextHead +
                    kernel_with(std::string(".shared .align 16 .b8 tile[16]; add.u64 %rd2, %rd1, ") + offset +
                                "; mov.u32 %r1, tile;\n"
                                "cp.async.ca.shared.global [%r1], [%rd2], 16, 4; cp.async.wait_all;"));
    LaunchOptions options;
    const LaunchResult done = text.launch(text.zeros(8192), 1, 1, options);
    INFO(done.fault.text());
    CHECK(done.ok() == std::string(fault).empty());
    CHECK(done.fault.message.english().find(fault) != std::string::npos);
  }
}

}  // namespace cudalabs::sim
