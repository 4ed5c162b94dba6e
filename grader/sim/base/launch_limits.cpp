#include "grader/sim/base/launch_limits.h"

#include <algorithm>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/base/demangle.h"

namespace cudalabs::sim {
namespace {

bool within(const Dim3& size, const Dim3& most) {
  return size.x <= most.x && size.y <= most.y && size.z <= most.z;
}

/// Registers of a block of `threads`: allocated in units of eight for each lane of a warp. 0: unknown.
std::uint64_t registers_of_block(const KernelInfo& kernel, std::uint64_t threads) {
  return kernel.registers_known ? (threads + 31) / 32 * 32 * ((kernel.registers + 7) / 8 * 8) : 0;
}

}  // namespace

std::uint32_t resident_blocks(const Limits& limits, const KernelInfo& kernel, std::uint32_t threads,
                              std::uint64_t dynamic_shared_bytes) {
  if (threads == 0 || threads > limits.max_threads_per_block) return 0;
  const std::uint64_t shared = kernel.static_shared_bytes + dynamic_shared_bytes;
  if (shared > limits.max_shared_bytes) return 0;
  const std::uint32_t rounded_threads = (threads + 31) / 32 * 32;
  std::uint64_t blocks =
      std::min(limits.max_blocks_per_multiprocessor, limits.max_threads_per_multiprocessor / rounded_threads);
  const std::uint64_t per_block = (shared + limits.reserved_shared_bytes_per_block + 127) / 128 * 128;
  blocks = std::min(blocks, limits.shared_bytes_per_multiprocessor / per_block);
  if (const std::uint64_t registers = registers_of_block(kernel, threads); registers > 0)
    blocks = std::min(blocks, limits.registers_per_multiprocessor / registers);
  return static_cast<std::uint32_t>(blocks);
}

std::uint64_t most_dynamic_shared(const Limits& limits, const KernelInfo& kernel) {
  return limits.static_shared_bytes -
         std::min<std::uint64_t>(limits.static_shared_bytes, kernel.static_shared_bytes);
}

std::optional<Message> refuse_dynamic_shared(const Limits& limits, const KernelInfo& kernel,
                                             std::uint64_t bytes) {
  const std::uint64_t most = limits.max_shared_bytes;
  if (bytes <= most && bytes + kernel.static_shared_bytes <= most) return {};
  return msg::dynamic_shared_memory_exceeded(bytes, kernel.static_shared_bytes, most);
}

std::optional<LaunchRefusal> refuse_launch(const Limits& limits, const KernelInfo& kernel,
                                           const LaunchConfig& config, std::uint64_t dynamic_shared_limit) {
  const auto& [grid, block, dynamic_shared, cooperative, changeable] = config;
  const auto refused = [&](Message why, Refused what = Refused::Sizes) {
    return LaunchRefusal{msg::launch_refused(demangle(kernel.name, true), std::move(why)), what};
  };
  const Dim3 &most_grid = limits.max_grid, &most_block = limits.max_block;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return refused(msg::grid_empty(grid.x, grid.y, grid.z));
  if (!within(grid, most_grid)) {
    return refused(msg::grid_too_long(grid.x, grid.y, grid.z, most_grid.x, most_grid.y, most_grid.z));
  }
  if (block.x == 0 || block.y == 0 || block.z == 0)
    return refused(msg::block_empty(block.x, block.y, block.z));
  if (!within(block, most_block) && block.count() <= limits.max_threads_per_block) {
    return refused(
        msg::block_side_too_long(block.x, block.y, block.z, most_block.x, most_block.y, most_block.z));
  }
  if (block.count() > limits.max_threads_per_block) {
    return refused(msg::block_too_many_threads(block.x, block.y, block.z, limits.max_threads_per_block));
  }
  if (kernel.cluster_blocks > 1)
    return refused(msg::cluster_unsupported(kernel.cluster_blocks), Refused::Cluster);
  if (block.count() > kernel.max_threads)
    return refused(msg::launch_bounds_exceeded(block.count(), kernel.max_threads));
  const std::uint64_t shared = std::uint64_t{kernel.static_shared_bytes} + dynamic_shared;
  const std::uint64_t allowed = std::min<std::uint64_t>(
      limits.max_shared_bytes,
      std::max<std::uint64_t>(limits.static_shared_bytes, kernel.static_shared_bytes + dynamic_shared_limit));
  if (shared > allowed) {
    const std::uint64_t raised = allowed < limits.max_shared_bytes ? limits.max_shared_bytes : 0;
    return refused(msg::shared_memory_exceeded(shared, allowed, raised));
  }
  if (registers_of_block(kernel, block.count()) > limits.registers_per_block) {
    return refused(msg::registers_exceeded(block.count(), kernel.registers, limits.registers_per_block),
                   Refused::Registers);
  }
  if (!cooperative) return {};
  const std::uint64_t most =
      std::uint64_t{limits.multiprocessors} *
      resident_blocks(limits, kernel, static_cast<std::uint32_t>(block.count()), dynamic_shared);
  if (grid.count() <= most) return {};
  return refused(msg::cooperative_blocks_exceeded(grid.count(), most), Refused::AtATime);
}

}  // namespace cudalabs::sim
