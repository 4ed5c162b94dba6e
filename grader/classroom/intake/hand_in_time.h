#pragma once
// When something was handed in, as far as a service says.

#include <cstdint>
#include <optional>
#include <string_view>

namespace cudalabs {

struct HandInTime {
  std::int64_t at = 0;         ///< seconds since 1970; 0: not known
  bool zoneless = false;       ///< `at` is what a clock showed, as if in UTC; its zone is not known
  std::optional<bool> late{};  ///< the service's own judgement; it does not give the time

  bool operator==(const HandInTime&) const = default;
};

struct ParsedTime {
  std::int64_t at = 0;                 ///< seconds since 1970; without a zone, as if it were UTC
  std::optional<std::int64_t> offset;  ///< seconds east of UTC; none: the text names no zone
};

/// Reads "2026-01-31 12:00:00 Z", "2026-01-31T12:00:00.5+01:00" or "2026-01-31".
std::optional<ParsedTime> parse_time(std::string_view text);

/// Reads a date in words, as Moodle writes it: "Sunday, 1 March 2026, 11:59 PM". English, German, Russian,
/// French and Spanish months. Seconds since 1970, as if it were UTC; 0: not a date.
std::int64_t parse_spoken_time(std::string_view text);

}  // namespace cudalabs
