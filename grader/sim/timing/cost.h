#pragma once
// Estimates the time of a launch from its work (docs/estimate.md). It is not a prediction of the measured
// time, but a metric that is the same on every machine and decreases when a kernel does less work, has fewer
// conflicts, or hides its latency better.

#include <cstdint>
#include <vector>

#include "grader/sim/base/types.h"
#include "grader/sim/timing/bounds.h"
#include "grader/sim/timing/profile.h"
#include "grader/sim/timing/schedule/machine_code.h"
#include "grader/sim/timing/trace.h"
#include "grader/sim/timing/traffic.h"

namespace cudalabs::sim {

/// The properties of a launch that the estimate uses.
struct LaunchWork {
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  ///< for each block, static and dynamic
  Counters counters;
  IssueCounts issue;
  Traffic traffic;
  double atomic_clocks = 0;  ///< of the place with most atomics (contention.h)
  double chain_clocks = 0;   ///< of the longest chain of waiting warps (chains.h)
  bool by_line = false;      ///< Estimate::lines
  std::vector<TracedBlock> traces;
  Lengths lengths;
  /// Traces of the longest block, run in isolation: its beginning, if is_uneven(), and its most
  /// memory-intensive steps, if goes_on_otherwise(); otherwise empty.
  std::vector<TracedBlock> longest, dearest;
  Traffic longest_traffic;
};

/// Is the longest block so much longer than most that the traced ones may not be representative of it?
bool is_uneven(const Lengths& lengths, const Dim3& grid);

/// Do most memory accesses come after the traced steps?
bool goes_on_otherwise(const LaunchWork& work, const DeviceProfile& profile);

/// Does the profile's device have instructions that combine several PTX instructions (machine_code())?
inline bool joins_instructions(const DeviceProfile& profile) { return profile.l2_bytes > 0; }

/// Consumes the traces of `work`. `codes`: those of the launched kernel's module.
Estimate estimate(LaunchWork& work, const DeviceProfile& profile, MachineCodes& codes);

/// A copy between host and device, in nanoseconds.
double estimate_copy(std::uint64_t bytes, const DeviceProfile& profile);

/// Time of a copy from one device to another, in nanoseconds; not `direct`: through the host.
double estimate_peer_copy(std::uint64_t bytes, bool direct, const DeviceProfile& profile);

/// A copy or a set on the device, of `rows` rows of `width` bytes each, in nanoseconds.
enum class OnDevice : std::uint8_t { Copy, Set };
double estimate_on_device(OnDevice what, std::uint64_t width, std::uint64_t rows,
                          const DeviceProfile& profile);

}  // namespace cudalabs::sim
