#pragma once
// Computes the cost of lateness by a teacher's rule in YAML. A pure function of the submission time. Its
// results are not stored, so a changed rule changes every grade at once.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/classroom/intake/hand_in_time.h"

namespace cudalabs {

/// A time of a rule.
struct RuleTime {
  std::int64_t at = 0;      ///< seconds since 1970
  std::int64_t offset = 0;  ///< of its zone, seconds east of UTC
};

/// What holds for a student instead of the class's rule.
struct StudentRule {
  std::optional<RuleTime> due;
  std::optional<double> extension_days;  ///< later than the due time
  std::optional<double> late_days;       ///< free days
  std::optional<RuleTime> submitted;     ///< submission time, if the download does not contain it
};

struct LateRules {
  std::optional<RuleTime> due;  ///< none: nothing is late
  double grace_minutes = 0;
  double late_days = 0;                         ///< days without a penalty
  double penalty_per_day = 0;                   ///< share of the maximum, 0 to 1, for each started day
  double at_most = 1;                           ///< maximum share that lateness may cost
  std::optional<double> none_after_days;        ///< later submissions earn nothing
  std::map<std::string, StudentRule> students;  ///< those of groups, too
};

/// A time without a zone is an error, or UTC, as earlier graders took it.
enum class MissingZone : std::uint8_t { IsAnError, MeansUtc };

/// `shown` names the text in messages. Errors describe the problem and its location.
Result<LateRules> parse_late_rules(std::string_view text, const std::string& shown,
                                   MissingZone zone = MissingZone::IsAnError);

struct Lateness {
  double days = 0;     ///< started days after the due time and the grace period
  double free = 0;     ///< of these, covered by free days
  double penalty = 0;  ///< points, at most those earned
  bool known = true;   ///< false: there is a due time, but the submission time is unknown
  /// The service says that it is late and not by how much: a day was begun at least.
  bool at_least = false;
};

/// `points` of `max_points` were earned. A time without a zone is in the zone of the due time. Without a time
/// the service's judgement counts, unless the student has an extension that the service does not know.
Lateness lateness(const LateRules& rules, const std::string& student, const HandInTime& time, double points,
                  double max_points);

}  // namespace cudalabs
