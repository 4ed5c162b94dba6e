#pragma once
// Computes the cost of lateness by a teacher's rule in YAML. A pure function of the submission time. Its
// results are not stored, so a changed rule changes every grade at once.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "grader/base/result.h"

namespace cudalabs {

struct StudentRule {
  std::optional<std::int64_t> due;        ///< an extension, seconds since 1970
  std::optional<double> late_days;        ///< free days, instead of the class's
  std::optional<std::int64_t> submitted;  ///< submission time, if the download does not contain it
};

struct LateRules {
  std::optional<std::int64_t> due;  ///< seconds since 1970; none: nothing is late
  double grace_minutes = 0;
  double late_days = 0;                   ///< days without a penalty
  double penalty_per_day = 0;             ///< share of the maximum, 0 to 1, for each started day
  double at_most = 1;                     ///< maximum share that lateness may cost
  std::optional<double> none_after_days;  ///< later submissions earn nothing
  std::map<std::string, StudentRule> students;
};

/// `shown` names the text in messages. Errors describe the problem and its location.
Result<LateRules> parse_late_rules(std::string_view text, const std::string& shown);

struct Lateness {
  double days = 0;     ///< started days after the due time and the grace period
  double free = 0;     ///< of these, covered by free days
  double penalty = 0;  ///< points, at most those earned
  bool known = true;   ///< false: there is a due time, but the submission time is unknown
};

/// `submitted_at`: seconds since 1970; 0: not known. `points` of `max_points` were earned.
Lateness lateness(const LateRules& rules, const std::string& student, std::int64_t submitted_at,
                  double points, double max_points);

}  // namespace cudalabs
