#pragma once
// What lateness costs, by a teacher's rule in YAML. A pure function of when something was handed in: nothing
// that it computed is kept, so a changed rule changes every grade at once.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "grader/support/result.h"

namespace cudalabs {

struct StudentRule {
  std::optional<std::int64_t> due;        ///< an extension, seconds since 1970
  std::optional<double> late_days;        ///< free ones, instead of the class's
  std::optional<std::int64_t> submitted;  ///< when it was handed in, where the download does not say
};

struct LateRules {
  std::optional<std::int64_t> due;  ///< seconds since 1970; none: nothing is late
  double grace_minutes = 0;
  double late_days = 0;                   ///< days that cost nothing
  double penalty_per_day = 0;             ///< share of the maximum, 0 to 1, for each begun day
  double at_most = 1;                     ///< share of the maximum that lateness may cost
  std::optional<double> none_after_days;  ///< later than this earns nothing
  std::map<std::string, StudentRule> students;
};

/// `shown` names the text in messages. Errors say what is wrong and where.
Result<LateRules> parse_late_rules(std::string_view text, const std::string& shown);

struct Lateness {
  double days = 0;     ///< begun days after the due time and its grace
  double free = 0;     ///< of these, taken from the free ones
  double penalty = 0;  ///< points, at most those that were earned
  bool known = true;   ///< false: there is a due time, and nobody says when it was handed in
};

/// `submitted_at`: seconds since 1970; 0: not known. `points` of `max_points` were earned.
Lateness lateness(const LateRules& rules, const std::string& student, std::int64_t submitted_at,
                  double points, double max_points);

}  // namespace cudalabs
