#include "grader/present/standing.h"

#include <ctime>

#include "grader/base/human.h"

namespace cudalabs {

std::string time_words(std::int64_t at, bool zoneless) {
  const auto seconds = static_cast<std::time_t>(at);
  std::tm parts{};
  if (::gmtime_r(&seconds, &parts) == nullptr) return {};
  char text[40];
  return {text, std::strftime(text, sizeof text, zoneless ? "%Y-%m-%d %H:%M" : "%Y-%m-%d %H:%M UTC", &parts)};
}

std::string signed_points(double points) {
  return (points < 0 ? "-" : "+") + human_points(points < 0 ? -points : points);
}

}  // namespace cudalabs
