#include "grader/program/visible_devices.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "grader/base/parse_number.h"
#include "grader/diagnostics/messages/sim.h"
#include "grader/sim/memory/devices.h"

namespace cudalabs {
namespace {

/// The number at the text's beginning; like the driver, ignores what follows it.
std::optional<long> leading_number(const std::string& text) {
  char* end = nullptr;
  const long number = std::strtol(text.c_str(), &end, 10);
  return end == text.c_str() ? std::nullopt : std::optional(number);
}

}  // namespace

Result<std::vector<std::uint32_t>> visible_devices(const std::string& count, const char* visible) {
  const std::uint32_t devices = parse_number<std::uint32_t>(count).value_or(0);
  if (devices < 1 || devices > sim::kMaxDevices) return error(msg::devices_not_a_number(sim::kMaxDevices));
  std::vector<std::uint32_t> numbers;
  if (visible == nullptr || devices == 1) {
    for (std::uint32_t number = 0; number < devices; ++number) numbers.push_back(number);
    return numbers;
  }
  const std::string list = visible;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    const auto number = leading_number(list.substr(begin, comma - begin));
    if (!number || *number < 0 || *number >= static_cast<long>(devices)) break;  // CUDA stops there, too
    if (std::ranges::find(numbers, static_cast<std::uint32_t>(*number)) != numbers.end()) {
      return error(msg::visible_device_twice(list, *number), msg::hint_visible_device_once());
    }
    numbers.push_back(static_cast<std::uint32_t>(*number));
    begin = comma + 1;
  }
  if (numbers.empty()) {
    return error(msg::visible_devices_none(list, devices), msg::hint_visible_devices(devices - 1));
  }
  return numbers;
}

}  // namespace cudalabs
