#pragma once
// On a card, what is timed must be what was judged: the structure is read off a call on the simulator, the
// time is taken of a call on the card, and a submission can find out where it runs.

#include <optional>
#include <span>
#include <string>

#include "grader/device/wire/outcome.h"

namespace cudalabs {

/// One call as a device saw it.
struct ObservedCall {
  std::span<const LaunchRecord> launches;
  bool host_saw_data = false;         ///< copied some of it to the host, which may have decided by it
  std::uint32_t multiprocessors = 0;  ///< of the device
};

struct Difference {
  Messages what, advice;
};

/// The first launch in which the two calls differ: its kernel, the kernel's code, its block, its dynamic
/// shared memory, its grid or what it was passed. Grids may follow the number of multiprocessors, and shapes
/// the occupancy that the program asked for; then arguments may, too. Where the host saw data, which are not
/// the same in both calls, the launches of one kind may differ in number and order.
std::optional<Difference> first_difference(const ObservedCall& judged, const ObservedCall& timed);

}  // namespace cudalabs
