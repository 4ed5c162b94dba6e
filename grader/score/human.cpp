#include "grader/score/human.h"

#include <fmt/format.h>

#include <cmath>

namespace cudalabs {

std::string human_time(double ns) {
  if (ns < 1e3) return fmt::format("{:.0f} ns", ns);
  if (ns < 1e6) return fmt::format("{:.{}f} us", ns / 1e3, ns < 1e4 ? 2 : ns < 1e5 ? 1 : 0);
  if (ns < 1e9) return fmt::format("{:.{}f} ms", ns / 1e6, ns < 1e7 ? 2 : ns < 1e8 ? 1 : 0);
  return fmt::format("{:.2f} s", ns / 1e9);
}

std::string human_count(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, ",");
  return digits;
}

std::string human_bytes(std::uint64_t bytes) {
  const double value = static_cast<double>(bytes);
  if (bytes < 1024) return plural(bytes, "byte");
  if (bytes < (std::uint64_t{1} << 20)) return fmt::format("{:.1f} KiB", value / 1024);
  if (bytes < (std::uint64_t{1} << 30)) return fmt::format("{:.1f} MiB", value / (1 << 20));
  return fmt::format("{:.1f} GiB", value / (1 << 30));
}

std::string human_factor(double factor) {
  if (factor < 0.095) return fmt::format("{:.2g}", factor);
  if (factor < 9.995) return fmt::format("{:.2f}", factor);
  if (factor < 99.95) return fmt::format("{:.1f}", factor);
  return human_count(static_cast<std::uint64_t>(std::llround(factor)));
}

std::string human_points(double points) {
  std::string text = fmt::format("{:.2f}", points);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", human_count(count), noun, count == 1 ? "" : "s");
}

double round_points(double points) { return std::round(points * 100) / 100; }

std::string base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

}  // namespace cudalabs
