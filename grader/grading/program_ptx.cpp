#include "grader/grading/program_ptx.h"

#include <span>
#include <string_view>

#include "grader/course/cache.h"
#include "grader/device/protocol/fatbin.h"
#include "grader/toolchain/build_sandbox.h"
#include "grader/toolchain/objects/elf.h"

namespace cudalabs {

Result<std::string> program_ptx(const std::filesystem::path& program) {
  const auto bytes = read_file(program, BuildSandbox::kFileBytes);
  if (!bytes) return bytes.problem();
  const std::string_view image = section_of(*bytes, ".nv_fatbin");
  const auto ptx = find_simulated_ptx(std::as_bytes(std::span(image.data(), image.size())));
  return ptx ? std::string(*ptx) : std::string();
}

}  // namespace cudalabs
