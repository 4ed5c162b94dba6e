#pragma once
// Functions that PTX declares without a definition: the simulator implements calls to them.

#include <cstdint>
#include <string_view>

namespace cudalabs::ptx {

enum class Builtin : std::uint8_t {
  None,
  Vprintf,
  AssertFail,
  Malloc,
  Free,
  LaunchBuffer,  ///< allocates the parameters of a kernel that a kernel launches
  LaunchDevice,  ///< launches it
  LastError,     ///< of this thread's launches
  PeekError,
  DeviceCopy,  ///< cudaMemcpyAsync() in a kernel
  DeviceSet,   ///< cudaMemsetAsync()
  DeviceWait,  ///< cudaDeviceSynchronize() as in CUDA 5 to 11: waits for what the block has launched
};

/// None: there is no builtin with this name.
Builtin builtin_named(std::string_view function);

}  // namespace cudalabs::ptx
