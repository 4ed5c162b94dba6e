#include "grader/device/backends/gpu/driver.h"

#include <dlfcn.h>

#include <cstdlib>

#include "grader/device/driver/driver_library.h"
#include "grader/device/protocol/cuda_error.h"
#include "grader/diagnostics/messages/device.h"

namespace cudalabs::gpu {
namespace {

// Two steps, so that cuda.h's macros map a name to its newest version before it becomes text.
#define CUDALABS_TEXT_OF(name) #name
#define CUDALABS_ENTRY_POINT(name) CUDALABS_TEXT_OF(name)

Result<Driver> load() {
  const Result<void*> opened = open_driver_library();
  if (!opened) return opened.problem();
  void* const library = *opened;
  Driver driver;
  const char* missing = nullptr;
  const auto find = [&](auto& member, const char* name) {
    member = reinterpret_cast<std::remove_reference_t<decltype(member)>>(dlsym(library, name));
    if (member == nullptr) missing = name;
  };
#define CUDALABS_DRIVER_FIND(member, function) find(driver.member, CUDALABS_ENTRY_POINT(function));
  CUDALABS_DRIVER_CALLS(CUDALABS_DRIVER_FIND)
#undef CUDALABS_DRIVER_FIND
  if (missing != nullptr) {
    return error(msg::driver_too_old(missing), msg::driver_too_old_hint());
  }
  // Lazy loading would load a kernel at its first launch, while the clock runs.
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  if (const CUresult result = driver.init(0); result != CUDA_SUCCESS) {
    return error(msg::driver_unusable(driver.text(result)), msg::driver_unusable_hint());
  }
  int devices = 0;
  if (const CUresult result = driver.device_count(&devices); result != CUDA_SUCCESS || devices == 0) {
    return error(
        result == CUDA_SUCCESS ? msg::driver_without_gpu() : msg::driver_fails_to_count(driver.text(result)),
        msg::driver_without_gpu_hint());
  }
  return driver;
}

}  // namespace

Result<const Driver*> Driver::open() {
  static const Result<Driver> driver = load();
  if (!driver) return driver.problem();
  return &*driver;
}

std::string Driver::text(CUresult result) const {
  const char *name = nullptr, *words = nullptr;
  if (error_name(result, &name) != CUDA_SUCCESS || error_string(result, &words) != CUDA_SUCCESS)
    // the driver does not even know its own errors
    return cudalabs::error_text(static_cast<CudaError>(result));
  return std::string(name) + " (" + words + ")";
}

}  // namespace cudalabs::gpu
