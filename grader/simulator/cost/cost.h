#pragma once
// An estimated time from what a launch did (docs/estimate.md). Not a prediction
// of a clock: a yardstick that is the same on every machine and moves the right
// way when a kernel does less work, conflicts less, or hides its latency better.

#include <cstdint>
#include <vector>

#include "grader/simulator/base/types.h"
#include "grader/simulator/cost/bounds.h"
#include "grader/simulator/cost/machine_code.h"
#include "grader/simulator/cost/profile.h"
#include "grader/simulator/cost/trace.h"
#include "grader/simulator/cost/traffic.h"

namespace cudalabs::sim {

/// A launch as the estimate sees it.
struct LaunchWork {
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  ///< a block, static and dynamic
  Counters counters;
  IssueCounts issue;
  Traffic traffic;
  double atomic_clocks = 0;  ///< of the place where most atomics meet (contention.h)
  double chain_clocks = 0;   ///< of those who wait for each other one behind the other (chains.h)
  std::vector<TracedBlock> traces;
  Lengths lengths;
  /// Of the longest block, run by itself: its beginning, if is_uneven(), and what its warps do most to
  /// memory, if goes_on_otherwise(); else empty.
  std::vector<TracedBlock> longest, dearest;
  Traffic longest_traffic;
};

/// Is the longest block so much longer than most that those which are looked at may tell nothing of it?
bool is_uneven(const Lengths& lengths, const Dim3& grid);

/// Does most of what meets memory come after the steps that were traced?
bool goes_on_otherwise(const LaunchWork& work, const DeviceProfile& profile);

/// Whether the card of the profile has instructions that are several of PTX's (machine_code()).
inline bool joins_instructions(const DeviceProfile& profile) { return profile.l2_bytes > 0; }

/// `work`'s traces are taken out of it. `codes`: of the module whose kernel was launched.
CostBounds estimate(LaunchWork& work, const DeviceProfile& profile, MachineCodes& codes);

/// A copy between host and device, in nanoseconds.
double estimate_copy(std::uint64_t bytes, const DeviceProfile& profile);

/// A copy from one card to another, in nanoseconds; not `direct`: through the host.
double estimate_peer_copy(std::uint64_t bytes, bool direct, const DeviceProfile& profile);

/// A copy or a set on the device, of `rows` rows of `width` bytes each, in nanoseconds.
enum class OnDevice : std::uint8_t { Copy, Set };
double estimate_on_device(OnDevice what, std::uint64_t width, std::uint64_t rows,
                          const DeviceProfile& profile);

}  // namespace cudalabs::sim
