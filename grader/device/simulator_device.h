#pragma once
// The simulator as a Device. Everything runs at once, in the order of issue: a legal schedule for any correct
// use of streams, and the same one every time.

#include <memory>
#include <optional>

#include "grader/device/device.h"
#include "grader/simulator/cost/profile.h"
#include "grader/simulator/observers/checkers.h"

namespace cudalabs {

struct SimulatorDeviceOptions {
  sim::Limits limits;
  std::uint64_t max_warp_instructions = 0;  ///< per launch; 0: no limit
  unsigned threads = 0;                     ///< simulator workers; 0: one a core
  bool by_line = true;
  bool access_map = false;
  sim::CheckerSet checkers = 0;
  /// The card whose times are estimated; empty: everything takes 0 ns.
  std::optional<sim::DeviceProfile> profile;
};

std::unique_ptr<Device> make_simulator_device(const SimulatorDeviceOptions& options);

/// Checks a launch against the card's limits as cudaLaunchKernel does. Ok, or cudaErrorInvalidConfiguration
/// (grid or block), cudaErrorInvalidValue (shared memory, launch bounds), cudaErrorCooperativeLaunchTooLarge.
Status check_launch(const DeviceProperties& properties, const sim::KernelInfo& kernel,
                    const LaunchRequest& request);

/// Blocks of `threads` threads that fit one multiprocessor by threads, blocks and shared memory. Registers do
/// not count: PTX does not say how many the machine code will need.
std::uint32_t resident_blocks(const DeviceProperties& properties, const sim::KernelInfo& kernel,
                              std::uint32_t threads, std::uint64_t dynamic_shared_bytes);

}  // namespace cudalabs
