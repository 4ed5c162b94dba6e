#include "grader/device/backends/gpu/context.h"

#include "grader/diagnostics/messages/device.h"

#include <array>

namespace cudalabs::gpu {

Result<std::shared_ptr<Context>> Context::open() {
  const Result<const Driver*> opened = Driver::open();
  if (!opened) return opened.problem();
  const Driver& driver = **opened;
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUresult result = driver.device_get(&device, 0);
  if (result == CUDA_SUCCESS) result = driver.retain_context(&context, device);
  if (result == CUDA_SUCCESS) result = driver.set_context(context);
  if (result != CUDA_SUCCESS) {
    return error(msg::gpu_unusable(driver.text(result)), msg::gpu_unusable_hint());
  }
  return std::shared_ptr<Context>(new Context(driver, device, context));
}

Context::Context(const Driver& driver, CUdevice device, CUcontext context)
    : driver(driver), device_(device), context_(context) {
  std::array<char, 256> name{};
  std::size_t bytes = 0;
  static_cast<void>(driver.device_name(name.data(), static_cast<int>(name.size()) - 1, device));
  static_cast<void>(driver.device_memory(&bytes, device));
  const auto number = [this](CUdevice_attribute which) {
    return static_cast<std::uint32_t>(attribute(which));
  };
  properties_.name = name.data();
  sim::Limits& limits = properties_.limits;
  limits.compute_major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  limits.compute_minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  limits.max_threads_per_block = number(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  limits.max_block = {number(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
                      number(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
                      number(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)};
  limits.max_grid = {number(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X), number(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                     number(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)};
  limits.static_shared_bytes = number(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  limits.max_shared_bytes = number(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  limits.global_bytes = bytes;
  limits.constant_bytes = number(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
  limits.multiprocessors = number(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  limits.max_threads_per_multiprocessor = number(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  limits.max_blocks_per_multiprocessor = number(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  limits.shared_bytes_per_multiprocessor = number(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  limits.reserved_shared_bytes_per_block = number(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  properties_.limits.registers_per_block = number(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  properties_.limits.registers_per_multiprocessor =
      number(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  properties_.l2_bytes = number(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  properties_.clock_khz = number(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  properties_.memory_clock_khz = number(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  properties_.memory_bus_bits = number(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
}

int Context::attribute(CUdevice_attribute attribute) const {
  int value = 0;
  return driver.device_attribute(&value, attribute, device_) == CUDA_SUCCESS ? value : 0;
}

Status Context::check(CUresult result) {
  if (result == CUDA_SUCCESS) return {};
  // Errors that the runtime also has carry the same numbers in the driver.
  Status status{static_cast<CudaError>(result), verbatim(driver.text(result))};
  if (is_sticky(status.error)) health_ = status;
  return status;
}

}  // namespace cudalabs::gpu
