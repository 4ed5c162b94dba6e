#pragma once
// The simulated card: what a device process was asked for, as the simulator and a program see it.

#include "grader/device/protocol/setup.h"
#include "grader/device/server/device.h"
#include "grader/sim/timing/profile.h"

namespace cudalabs {

DeviceProperties properties_of(const DeviceSetup& setup);
sim::LoadLatencies latencies_of(const sim::DeviceProfile& profile);
/// The profile with the banks that a program has chosen for a launch, where the card has a choice.
sim::DeviceProfile with_banks(sim::DeviceProfile profile, const sim::KernelLimits& limits);

}  // namespace cudalabs
