#include "grader/sim/timing/op_times.h"

#include <algorithm>
#include <cmath>

#include "grader/sim/timing/fitted_clocks.h"

namespace cudalabs::sim {

std::size_t schedulers_of(const DeviceProfile& profile) {
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(profile.issue_per_clock)), 1, 4);
}

OpTimes::OpTimes(const DeviceProfile& profile) : profile_(profile) {
  const DeviceProfile& p = profile;
  const auto each = [schedulers = static_cast<double>(schedulers_of(p))](double per_clock) {
    return ticks(schedulers / per_clock);
  };
  issue_ = each(p.issue_per_clock);
  unit_.fill(0);
  unit_[static_cast<int>(Unit::Logic)] = each(p.integer_per_clock);
  unit_[static_cast<int>(Unit::Sum)] = each(std::min(p.issue_per_clock, 2 * p.integer_per_clock));
  unit_[static_cast<int>(Unit::Product)] = each(p.product_per_clock);
  unit_[static_cast<int>(Unit::Float)] = each(p.float_per_clock);
  unit_[static_cast<int>(Unit::Half)] = each(p.float_per_clock / 2);
  unit_[static_cast<int>(Unit::Special)] = each(p.special_per_clock);
  unit_[static_cast<int>(Unit::Double)] = each(p.double_per_clock);
  unit_[static_cast<int>(Unit::Matrix)] = each(kMatrixPerClock);
  unit_[static_cast<int>(Unit::Memory)] = each(kMemoryPerClock);
}

TimedOp OpTimes::of(const PlacedOp& placed) const {
  const MachineOp& op = *placed.op;
  const Ticks unit = unit_[static_cast<std::size_t>(op.unit)];
  TimedOp timed;
  timed.op = placed;
  timed.issuing = issue_ * std::max<Ticks>(op.slots, 1);
  // The scaling around the special-function unit runs in other units.
  timed.busy = op.unit == Unit::Special ? unit : unit * op.slots;
  timed.latency = latency(op);
  timed.vanishes = op.slots == 0 && op.step == Step::Plain;
  return timed;
}

Ticks OpTimes::of_routine(const MachineOp& op) const {
  const bool is_short = op.unit == Unit::Float || op.unit == Unit::Special || op.unit == Unit::Double;
  return op.slots * ticks(profile_.arithmetic_latency) +
         clocks_of_arithmetic(is_short ? kRoutine : kQuotient);
}

Ticks OpTimes::clocks_of_arithmetic(double clocks) const {
  return ticks(profile_.arithmetic_latency / kArithmetic * clocks);
}

Ticks OpTimes::latency(const MachineOp& op) const {
  if (op.wait == Wait::Shared) return ticks(profile_.shared_latency);
  const Ticks before = op.slots > 1 ? (op.slots - 1) * issue_ : 0;
  switch (op.unit) {
    case Unit::Special: return before + clocks_of_arithmetic(op.slots > 1 ? 2 * kSpecial : kSpecial);
    case Unit::Double: return before + clocks_of_arithmetic(kDouble);
    case Unit::Matrix: return before + clocks_of_arithmetic(kMatrix);
    default: return before + ticks(profile_.arithmetic_latency);
  }
}

}  // namespace cudalabs::sim
