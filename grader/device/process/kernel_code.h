#pragma once
// What a kernel does, told apart from what it is called: two instances of a template whose argument changes
// nothing are one code, and so is a kernel that was copied under another name.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace cudalabs {

struct KernelCode {
  std::uint64_t hash = 0;       ///< of its instructions and declarations; never 0 for a kernel that was found
  bool dynamic_shared = false;  ///< it names the shared memory that a launch adds
};
using KernelCodes = std::map<std::string, KernelCode, std::less<>>;  ///< by mangled name

/// Of each kernel that the text defines. Names are left out, those of functions that are called stand for
/// their code, and those of a module's variables for their declarations; line numbers do not count. Text that
/// cannot be read gives what stands before the trouble.
KernelCodes kernel_codes(std::string_view ptx);

/// Of the PTX in a fat binary that the simulator runs; empty if there is none.
KernelCodes kernel_codes_of_image(std::span<const std::byte> image);

}  // namespace cudalabs
