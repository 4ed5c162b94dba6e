#include "grader/course/device_profile.h"

#include <algorithm>
#include <filesystem>

#include "grader/base/text.h"
#include "grader/course/course.h"
#include "grader/course/yaml_reader.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using sim::DeviceProfile;

struct Field {
  const char* key;
  double DeviceProfile::*value;
  double at_least, at_most;
};

// In the order of the files. A file must contain every field: a missing number would silently be that of
// another card.
constexpr Field kFields[] = {
    {"compute_capability", &DeviceProfile::compute_capability, 1, 99},
    {"clock_ghz", &DeviceProfile::clock_ghz, 0.1, 10},
    {"multiprocessors", &DeviceProfile::multiprocessors, 1, 1024},
    {"warps_resident", &DeviceProfile::warps_resident, 1, 256},
    {"blocks_resident", &DeviceProfile::blocks_resident, 1, 256},
    {"shared_bytes", &DeviceProfile::shared_bytes, 1024, 1 << 24},
    {"registers", &DeviceProfile::registers, 256, 1 << 24},
    {"issue_per_clock", &DeviceProfile::issue_per_clock, 0.01, 64},
    {"float_per_clock", &DeviceProfile::float_per_clock, 0.001, 64},
    {"integer_per_clock", &DeviceProfile::integer_per_clock, 0.001, 64},
    {"product_per_clock", &DeviceProfile::product_per_clock, 0.001, 64},
    {"special_per_clock", &DeviceProfile::special_per_clock, 0.001, 64},
    {"double_per_clock", &DeviceProfile::double_per_clock, 0.001, 64},
    {"shared_lanes", &DeviceProfile::shared_lanes, 8, 32},
    {"shared_banks", &DeviceProfile::shared_banks, 8, 64},
    {"bank_bytes", &DeviceProfile::bank_bytes, 4, 8},
    {"bank_mode_bytes", &DeviceProfile::bank_mode_bytes, 4, 8},
    {"wavefronts_per_clock", &DeviceProfile::wavefronts_per_clock, 0.01, 64},
    {"l1_bytes", &DeviceProfile::l1_bytes, 0, 1 << 24},
    {"l2_bytes", &DeviceProfile::l2_bytes, 0, 1 << 30},
    {"sectors_per_clock", &DeviceProfile::sectors_per_clock, 0.01, 64},
    {"memory_gb_per_s", &DeviceProfile::memory_gb_per_s, 1, 100000},
    {"memory_latency", &DeviceProfile::memory_latency, 1, 10000},
    {"l2_latency", &DeviceProfile::l2_latency, 1, 10000},
    {"l1_latency", &DeviceProfile::l1_latency, 1, 10000},
    {"shared_latency", &DeviceProfile::shared_latency, 1, 1000},
    {"arithmetic_latency", &DeviceProfile::arithmetic_latency, 1, 1000},
    {"barrier_latency", &DeviceProfile::barrier_latency, 1, 1000},
    {"block_launch_clocks", &DeviceProfile::block_launch_clocks, 0, 1000},
    {"launch_us", &DeviceProfile::launch_us, 0, 1000},
    {"copy_us", &DeviceProfile::copy_us, 0, 1000},
    {"copy_gb_per_s", &DeviceProfile::copy_gb_per_s, 0.1, 10000},
    {"peer_us", &DeviceProfile::peer_us, 0, 1000},
    {"peer_gb_per_s", &DeviceProfile::peer_gb_per_s, 0.1, 100000},
    {"staged_gb_per_s", &DeviceProfile::staged_gb_per_s, 0.1, 100000},
};
static_assert(std::size(kFields) * sizeof(double) == sizeof(DeviceProfile));

void check_whole(const YamlFields& fields, const char* key, double value,
                 std::initializer_list<double> allowed, const std::string& numbers,
                 std::optional<Diagnostic>& problem) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
  report(problem, fields.need(key).where, msg::not_one_of_numbers("'" + std::string(key) + "'", numbers));
}

}  // namespace

std::vector<std::string> device_profile_names(const Course& course) {
  std::vector<std::string> names;
  for (const fs::path& root : roots_of(course))
    std::ranges::move(yaml_names(root / "configs" / "devices"), std::back_inserter(names));
  std::ranges::sort(names, natural_less);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

namespace {

Result<NamedProfile> read_profile(const fs::path& file, std::string_view name) {
  const auto root = read_yaml(file, file.string());
  if (!root) return root.problem();
  std::vector<std::string> keys{"title"};
  for (const Field& field : kFields) keys.emplace_back(field.key);
  std::optional<Diagnostic> problem;
  const YamlFields fields(*root, "a device profile", keys, problem);
  NamedProfile profile{std::string(name), fields.text("title"), {}};
  if (profile.title.empty()) report(problem, root->where, msg::profile_needs_title());
  DeviceProfile& numbers = profile.numbers;
  for (const Field& field : kFields)
    numbers.*field.value = fields.number(field.key, field.at_least, field.at_most);
  check_whole(fields, "shared_lanes", numbers.shared_lanes, {8, 16, 32}, "8, 16 or 32", problem);
  check_whole(fields, "shared_banks", numbers.shared_banks, {16, 32}, "16 or 32", problem);
  check_whole(fields, "bank_bytes", numbers.bank_bytes, {4, 8}, "4 or 8", problem);
  check_whole(fields, "bank_mode_bytes", numbers.bank_mode_bytes, {4, numbers.bank_bytes},
              "4, or what 'bank_bytes' is", problem);
  if (problem) return *problem;
  return profile;
}

}  // namespace

Result<NamedProfile> load_device_profile(const Course& course, std::string_view name) {
  if (name.empty()) name = course.device_profile.empty() ? kDefaultProfile : course.device_profile;
  if (name.ends_with(".yaml")) return read_profile(fs::path(name), name);
  const auto names = device_profile_names(course);
  if (std::ranges::find(names, name) == names.end()) {
    return error(msg::no_profile(name.substr(0, 60), suggestion(name, names)),
                 msg::the_profiles_or_a_file(listed(names)));
  }
  return read_profile(course.file(fs::path("configs/devices") / (std::string(name) + ".yaml")), name);
}

}  // namespace cudalabs
