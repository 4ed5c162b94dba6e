#include "grader/sim/ptx/parse/builtins.h"

#include <algorithm>
#include <iterator>

namespace cudalabs::ptx {
namespace {

constexpr struct {
  std::string_view name;
  Builtin builtin;
} kBuiltins[] = {
    {"vprintf", Builtin::Vprintf},
    {"__assertfail", Builtin::AssertFail},
    {"malloc", Builtin::Malloc},
    {"free", Builtin::Free},
    {"__cudaCDP2GetParameterBufferV2", Builtin::LaunchBuffer},
    {"__cudaCDP2LaunchDeviceV2", Builtin::LaunchDevice},
    {"__cudaCDP2LaunchDeviceV2_ptsz", Builtin::LaunchDevice},
    {"__cudaCDP2GetLastError", Builtin::LastError},
    {"__cudaCDP2PeekAtLastError", Builtin::PeekError},
    {"__cudaCDP2MemcpyAsync", Builtin::DeviceCopy},
    {"__cudaCDP2MemcpyAsync_ptsz", Builtin::DeviceCopy},
    {"__cudaCDP2MemsetAsync", Builtin::DeviceSet},
    {"__cudaCDP2MemsetAsync_ptsz", Builtin::DeviceSet},
    {"cudaDeviceSynchronize", Builtin::DeviceWait},
};

}  // namespace

Builtin builtin_named(std::string_view function) {
  const auto* const found =
      std::ranges::find_if(kBuiltins, [&](const auto& row) { return row.name == function; });
  return found == std::end(kBuiltins) ? Builtin::None : found->builtin;
}

}  // namespace cudalabs::ptx
