#pragma once
// How long an op of the machine code occupies its scheduler and its unit, and when its result is ready.

#include <array>

#include "grader/sim/timing/memory_path.h"
#include "grader/sim/timing/profile.h"
#include "grader/sim/timing/script.h"

namespace cudalabs::sim {

/// An op, and the resources that it uses.
struct TimedOp {
  PlacedOp op;
  Ticks issuing = 0, busy = 0, latency = 0;
  bool vanishes = false;  ///< it is merged into another one, and costs nothing
};

/// Schedulers of a multiprocessor, each with its share of the units.
std::size_t schedulers_of(const DeviceProfile& profile);

class OpTimes {
 public:
  explicit OpTimes(const DeviceProfile& profile);
  [[nodiscard]] TimedOp of(const PlacedOp& placed) const;
  /// From the beginning of a routine to its result; the warp executes nothing else meanwhile.
  [[nodiscard]] Ticks of_routine(const MachineOp& op) const;

 private:
  [[nodiscard]] Ticks clocks_of_arithmetic(double clocks) const;
  [[nodiscard]] Ticks latency(const MachineOp& op) const;

  const DeviceProfile& profile_;
  Ticks issue_ = 0;
  std::array<Ticks, kUnits> unit_{};
};

}  // namespace cudalabs::sim
