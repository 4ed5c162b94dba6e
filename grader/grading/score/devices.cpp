#include "grader/grading/score/devices.h"

#include <vector>

#include "grader/diagnostics/messages/score.h"

namespace cudalabs {

std::optional<Remark> idle_device(const Version& version, const CaseEvidence& timed) {
  const auto devices = static_cast<std::size_t>(version.devices);
  if (devices == 1) return std::nullopt;
  std::vector<double> done(devices);
  double all = 0;
  for (const LaunchRecord& launch : timed.launches) {
    const auto instructions = static_cast<double>(launch.counters.warp_instructions);
    if (launch.device < devices) done[launch.device] += instructions;
    all += instructions;
  }
  constexpr double kOfShare = 0.5;
  for (std::size_t device = 0; device < devices; ++device) {
    if (done[device] * static_cast<double>(devices) >= kOfShare * all) continue;
    const Message how = msg::device_is_idle(static_cast<std::int64_t>(device),
                                            static_cast<std::int64_t>(100 * done[device] / all));
    return Remark{msg::other_work_than_asked(version.name, how), msg::share_out_work(), {}};
  }
  return std::nullopt;
}

}  // namespace cudalabs
