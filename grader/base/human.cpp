#include "grader/base/human.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace cudalabs {
namespace {

std::string fixed(double value, int digits) {
  char text[64];
  return {text, static_cast<std::size_t>(
                    std::snprintf(text, sizeof text, "%.*f", digits, std::clamp(value, -1e40, 1e40)))};
}

}  // namespace

std::string human_time(double ns) {
  if (ns < 1e3) return fixed(ns, 0) + " ns";
  if (ns < 1e6) return fixed(ns / 1e3, ns < 1e4 ? 2 : ns < 1e5 ? 1 : 0) + " us";
  if (ns < 1e9) return fixed(ns / 1e6, ns < 1e7 ? 2 : ns < 1e8 ? 1 : 0) + " ms";
  return fixed(ns / 1e9, 2) + " s";
}

std::string human_count(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, ",");
  return digits;
}

std::string human_bytes(std::uint64_t bytes) {
  const double value = static_cast<double>(bytes);
  if (bytes < 1024) return plural(bytes, "byte");
  if (bytes < (std::uint64_t{1} << 20)) return fixed(value / 1024, 1) + " KiB";
  if (bytes < (std::uint64_t{1} << 30)) return fixed(value / (1 << 20), 1) + " MiB";
  return fixed(value / (1 << 30), 1) + " GiB";
}

std::string human_factor(double factor) {
  if (factor < 0.095) {
    char text[64];
    return {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%.2g", factor))};
  }
  if (factor < 9.995) return fixed(factor, 2);
  if (factor < 99.95) return fixed(factor, 1);
  return human_count(static_cast<std::uint64_t>(std::llround(std::min(factor, 1e18))));
}

std::string human_tenths(double value) { return fixed(value, value < 9.95 ? 1 : 0); }

std::string human_points(double points) {
  std::string text = fixed(points, 2);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string plural(std::uint64_t count, std::string_view noun) {
  return human_count(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

double round_points(double points) { return std::round(points * 100) / 100; }

std::string utc_time(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

}  // namespace cudalabs
