#pragma once
// Functions that PTX declares and nobody defines: what calls them is served by the simulator itself.

#include <cstdint>
#include <string_view>

namespace cudalabs::ptx {

enum class Builtin : std::uint8_t {
  None,
  Vprintf,
  AssertFail,
  Malloc,
  Free,
  LaunchBuffer,  ///< room for the parameters of a kernel that a kernel launches
  LaunchDevice,  ///< launches it
  LastError,     ///< of this thread's launches
  PeekError,
  DeviceCopy,  ///< cudaMemcpyAsync() in a kernel
  DeviceSet,   ///< cudaMemsetAsync()
};

/// None: of this name there is none.
Builtin builtin_named(std::string_view function);

}  // namespace cudalabs::ptx
