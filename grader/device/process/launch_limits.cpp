#include "grader/device/process/launch_limits.h"

#include <algorithm>

#include "grader/simulator/base/demangle.h"

namespace cudalabs {
namespace {

std::string text(const sim::Dim3& size) {
  return "(" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " + std::to_string(size.z) + ")";
}

bool within(const sim::Dim3& size, const sim::Dim3& most) {
  return size.x <= most.x && size.y <= most.y && size.z <= most.z;
}

}  // namespace

std::uint32_t resident_blocks(const DeviceProperties& properties, const sim::KernelInfo& kernel,
                              std::uint32_t threads, std::uint64_t dynamic_shared_bytes) {
  const sim::Limits& limits = properties.limits;
  if (threads == 0 || threads > limits.max_threads_per_block) return 0;
  const std::uint64_t shared = kernel.static_shared_bytes + dynamic_shared_bytes;
  if (shared > limits.max_shared_bytes) return 0;
  const std::uint32_t rounded_threads = (threads + 31) / 32 * 32;
  std::uint64_t blocks =
      std::min(limits.max_blocks_per_multiprocessor, limits.max_threads_per_multiprocessor / rounded_threads);
  const std::uint64_t per_block = (shared + properties.reserved_shared_bytes_per_block + 127) / 128 * 128;
  blocks = std::min(blocks, properties.shared_bytes_per_multiprocessor / per_block);
  return static_cast<std::uint32_t>(blocks);
}

Status check_launch(const DeviceProperties& properties, const sim::KernelInfo& kernel,
                    const LaunchRequest& request) {
  const sim::Limits& limits = properties.limits;
  const auto& [grid, block, dynamic_shared, cooperative] = request.config;
  const std::string name = "kernel " + sim::demangle(kernel.name, true) + ": ";
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
    return {CudaError::InvalidValue, name + "a grid of " + text(grid) + " blocks is empty"};
  }
  if (!within(grid, limits.max_grid)) {
    return {CudaError::InvalidValue,
            name + "a grid of " + text(grid) + " blocks, the most is " + text(limits.max_grid)};
  }
  if (block.x == 0 || block.y == 0 || block.z == 0) {
    return {CudaError::InvalidValue, name + "a block of " + text(block) + " threads is empty"};
  }
  if (!within(block, limits.max_block) || block.count() > limits.max_threads_per_block) {
    return {CudaError::InvalidValue, name + "a block of " + text(block) + " threads, the most is " +
                                         std::to_string(limits.max_threads_per_block) + " threads in all"};
  }
  if (block.count() > kernel.max_threads) {
    return {CudaError::InvalidValue, name + "a block of " + std::to_string(block.count()) +
                                         " threads, its __launch_bounds__ allows " +
                                         std::to_string(kernel.max_threads)};
  }
  const std::uint64_t allowed = std::max<std::uint64_t>(
      limits.static_shared_bytes, std::uint64_t{kernel.static_shared_bytes} + request.dynamic_shared_limit);
  const std::uint64_t shared = std::uint64_t{kernel.static_shared_bytes} + dynamic_shared;
  if (shared > std::min<std::uint64_t>(allowed, limits.max_shared_bytes)) {
    return {CudaError::InvalidValue,
            name + std::to_string(shared) + " bytes of shared memory asked, limit " +
                std::to_string(std::min<std::uint64_t>(allowed, limits.max_shared_bytes)) +
                " (cudaFuncSetAttribute raises it to " + std::to_string(limits.max_shared_bytes) + ")"};
  }
  if (cooperative) {
    const std::uint64_t most =
        std::uint64_t{limits.multiprocessors} *
        resident_blocks(properties, kernel, static_cast<std::uint32_t>(block.count()), dynamic_shared);
    if (grid.count() > most) {
      return {CudaError::CooperativeLaunchTooLarge, name + std::to_string(grid.count()) +
                                                        " blocks in a cooperative launch, " +
                                                        std::to_string(most) + " fit the device at a time"};
    }
  }
  return {};
}

}  // namespace cudalabs
