#pragma once
// configs/devices/NAME.yaml -> the numbers that an estimated time is computed from.

#include <string>
#include <string_view>
#include <vector>

#include "grader/config/lab.h"
#include "grader/simulator/cost/profile.h"
#include "grader/support/result.h"

namespace cudalabs {

inline constexpr std::string_view kDefaultProfile = "a100";

/// The names of the profiles that the course has, in natural order.
std::vector<std::string> device_profile_names(const Course& course);

struct NamedProfile {
  std::string name, title;  ///< as asked for: "a100"; "NVIDIA A100 (SXM, 40 GB), compute capability 8.0"
  sim::DeviceProfile numbers;
};

/// `name`: one of device_profile_names(), or a path that ends in .yaml.
/// Errors: no such profile (with the nearest name), or what is wrong in its file and where.
Result<NamedProfile> load_device_profile(const Course& course, std::string_view name);

}  // namespace cudalabs
