#pragma once
// Identifies a kernel by its code, independently of its name. Two instances of a template whose argument
// changes nothing are one code; so is a kernel that was copied under another name.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace cudalabs {

struct KernelCode {
  std::uint64_t hash = 0;       ///< of its instructions and declarations; never 0 for a kernel that was found
  bool dynamic_shared = false;  ///< it uses the shared memory that a launch adds
  bool tensor_cores = false;    ///< it multiplies matrices of a warp
  /// It calls functions of cooperative groups, as its line numbers say.
  bool cooperative_groups = false;
  /// Adds what a called function does.
  void add_uses(const KernelCode& called);
};
using KernelCodes = std::map<std::string, KernelCode, std::less<>>;  ///< by mangled name

/// The codes of all kernels that the text defines. Names are left out: a called function counts by its code,
/// and a module's variable by its declaration. Line numbers do not count. If the text cannot be read, the
/// result holds the kernels before the error.
KernelCodes kernel_codes(std::string_view ptx);

/// The codes of the PTX in a fat binary that the simulator runs; empty if there is none.
KernelCodes kernel_codes_of_image(std::span<const std::byte> image);

}  // namespace cudalabs
