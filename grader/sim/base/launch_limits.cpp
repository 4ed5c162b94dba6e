#include "grader/sim/base/launch_limits.h"

#include <algorithm>

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

std::optional<std::string> refuse_dynamic_shared(const Limits& limits, const KernelInfo& kernel,
                                                 std::uint64_t bytes) {
  const std::uint64_t most = limits.max_shared_bytes;
  if (bytes <= most && bytes + kernel.static_shared_bytes <= most) return {};
  return std::to_string(bytes) + " bytes of dynamic shared memory asked beside " +
         std::to_string(kernel.static_shared_bytes) + " static ones, the most is " + std::to_string(most) +
         " together";
}

std::optional<LaunchRefusal> refuse_launch(const Limits& limits, const KernelInfo& kernel,
                                           const LaunchConfig& config, std::uint64_t dynamic_shared_limit) {
  const auto& [grid, block, dynamic_shared, cooperative, most_children] = config;
  const auto refused = [&](const std::string& why, Refused what = Refused::Sizes) {
    return LaunchRefusal{"kernel " + demangle(kernel.name, true) + ": " + why, what};
  };
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
    return refused("a grid of " + grid.text() + " blocks is empty");
  }
  if (!within(grid, limits.max_grid)) {
    return refused("a grid of " + grid.text() + " blocks, the most is " + limits.max_grid.text());
  }
  if (block.x == 0 || block.y == 0 || block.z == 0) {
    return refused("a block of " + block.text() + " threads is empty");
  }
  if (!within(block, limits.max_block) && block.count() <= limits.max_threads_per_block)
    return refused("a block of " + block.text() + " threads, the most is " + limits.max_block.text());
  if (block.count() > limits.max_threads_per_block) {
    return refused("a block of " + block.text() + " threads, the most is " +
                   std::to_string(limits.max_threads_per_block) + " threads in all");
  }
  if (kernel.cluster_blocks > 1) {
    return refused("clusters of " + std::to_string(kernel.cluster_blocks) +
                       " blocks, and those of more than one are not simulated",
                   Refused::Cluster);
  }
  if (block.count() > kernel.max_threads) {
    return refused("a block of " + std::to_string(block.count()) + " threads, its __launch_bounds__ allows " +
                   std::to_string(kernel.max_threads));
  }
  const std::uint64_t shared = std::uint64_t{kernel.static_shared_bytes} + dynamic_shared;
  const std::uint64_t allowed = std::min<std::uint64_t>(
      limits.max_shared_bytes,
      std::max<std::uint64_t>(limits.static_shared_bytes, kernel.static_shared_bytes + dynamic_shared_limit));
  if (shared > allowed) {
    std::string why =
        std::to_string(shared) + " bytes of shared memory asked, limit " + std::to_string(allowed);
    if (allowed < limits.max_shared_bytes) {
      why += " (cudaFuncSetAttribute raises it to " + std::to_string(limits.max_shared_bytes) + ")";
    }
    return refused(why);
  }
  if (registers_of_block(kernel, block.count()) > limits.registers_per_block) {
    return refused("a block of " + std::to_string(block.count()) + " threads with " +
                       std::to_string(kernel.registers) + " registers each, a block has " +
                       std::to_string(limits.registers_per_block) + " together",
                   Refused::Registers);
  }
  if (!cooperative) return {};
  const std::uint64_t most =
      std::uint64_t{limits.multiprocessors} *
      resident_blocks(limits, kernel, static_cast<std::uint32_t>(block.count()), dynamic_shared);
  if (grid.count() <= most) return {};
  return refused(std::to_string(grid.count()) + " blocks in a cooperative launch, " + std::to_string(most) +
                     " fit the device at a time",
                 Refused::AtATime);
}

}  // namespace cudalabs::sim
