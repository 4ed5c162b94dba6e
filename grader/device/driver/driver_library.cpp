#include "grader/device/driver/driver_library.h"

#include "grader/diagnostics/messages/device.h"

#include <dlfcn.h>

namespace cudalabs {

Result<void*> open_driver_library() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return error(msg::driver_missing(), msg::simulator_hint());
  }
  return library;
}

Result<void> find_driver_library() {
  const Result<void*> library = open_driver_library();
  return library ? Result<void>() : Result<void>(library.problem());
}

}  // namespace cudalabs
