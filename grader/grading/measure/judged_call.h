#pragma once
// Checks that the timed call on a GPU is the call that was judged. The structure is judged on the simulator
// and the time is taken on the GPU, and a submission can find out where it runs.

#include <optional>
#include <span>
#include <string>

#include "grader/device/protocol/outcome.h"

namespace cudalabs {

/// One call as a device saw it.
struct ObservedCall {
  std::span<const LaunchRecord> launches;
  bool host_saw_data = false;         ///< the host copied data back, and may have decided by it
  std::uint32_t multiprocessors = 0;  ///< of the device
};

struct Difference {
  Messages what, advice;
};

/// The first launch in which the two calls differ: in its kernel, the kernel's code, its block, its dynamic
/// shared memory, its grid or its arguments. Grids may depend on the number of multiprocessors, and shapes on
/// the occupancy that the program asked for; arguments may then differ too. If the host saw data, which
/// differ between the calls, launches of one kind may differ in number and order.
std::optional<Difference> first_difference(const ObservedCall& judged, const ObservedCall& timed);

}  // namespace cudalabs
