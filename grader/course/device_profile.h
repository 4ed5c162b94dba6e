#pragma once
// configs/devices/NAME.yaml -> the numbers of the cost model.

#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/course/lab.h"
#include "grader/sim/timing/profile.h"

namespace cudalabs {

inline constexpr std::string_view kDefaultProfile = "a100";

/// The names of the course's profiles, in natural order.
std::vector<std::string> device_profile_names(const Course& course);

struct NamedProfile {
  /// name: as requested, "a100"; title: "NVIDIA A100 (SXM, 40 GB), compute capability 8.0"
  std::string name, title;
  sim::DeviceProfile numbers;
};

/// `name`: one of device_profile_names(), or a path that ends in .yaml. Errors: no such profile (with the
/// nearest name), or a problem in its file and where it is.
Result<NamedProfile> load_device_profile(const Course& course, std::string_view name);

}  // namespace cudalabs
