#include "grader/device/backends/gpu/driver.h"

#include <dlfcn.h>

#include <cstdlib>

#include "grader/device/driver/driver_library.h"
#include "grader/device/protocol/cuda_error.h"

namespace cudalabs::gpu {
namespace {

const char* const kAdvice = "use --device simulator, which needs no GPU";

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
    return error(std::string("the NVIDIA driver of this machine is too old: it has no ") + missing,
                 std::string("install a driver of CUDA 12.8 or newer, or ") + kAdvice);
  }
  // Lazy loading would load a kernel at its first launch, while the clock runs.
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  if (const CUresult result = driver.init(0); result != CUDA_SUCCESS) {
    return error("the NVIDIA driver cannot be used: " + driver.text(result),
                 std::string("does `nvidia-smi` show a GPU, and may you open /dev/nvidia*? Else ") + kAdvice);
  }
  int devices = 0;
  if (const CUresult result = driver.device_count(&devices); result != CUDA_SUCCESS || devices == 0) {
    return error("the NVIDIA driver finds no GPU" +
                     (result == CUDA_SUCCESS ? std::string() : ": " + driver.text(result)),
                 std::string("is one hidden by CUDA_VISIBLE_DEVICES? Else ") + kAdvice);
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
