#include "grader/classroom/late_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "grader/base/human.h"
#include "grader/base/parse_number.h"
#include "grader/classroom/intake/layouts.h"
#include "grader/course/yaml_reader.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

constexpr double kMaxDays = 3650;

std::int64_t as_time(const YamlNode& node, const std::string& what, std::optional<Diagnostic>& problem) {
  const std::string text = as_text(node, what, problem);
  const std::int64_t time = parse_time(text);
  if (time == 0 && !problem)
    report(problem, node.where, msg::wants_a_time(what, node.found()), msg::time_example());
  return time;
}

/// Reads "10%" as 0.1.
double as_share(const YamlNode& node, const std::string& what, std::optional<Diagnostic>& problem) {
  const std::string text = as_text(node, what, problem);
  const auto number = text.ends_with('%')
                          ? parse_number<double>(std::string_view(text).substr(0, text.size() - 1))
                          : std::nullopt;
  const double value = number.value_or(0);
  if (!number || !(value >= 0 && value <= 100))
    report(problem, node.where, msg::wants_a_share(what, node.found()), msg::share_example());
  return value / 100;
}

void read_student(const YamlNode& node, LateRules& rules, std::optional<Diagnostic>& problem) {
  static const std::vector<std::string> keys = {"student", "due", "late_days", "submitted"};
  const YamlFields fields(node, "a student", keys, problem);
  StudentRule rule;
  if (const YamlNode* due = fields.maybe("due")) rule.due = as_time(*due, "'due'", problem);
  if (const YamlNode* days = fields.maybe("late_days"))
    rule.late_days = as_number(*days, "'late_days'", 0, kMaxDays, problem);
  if (const YamlNode* at = fields.maybe("submitted")) rule.submitted = as_time(*at, "'submitted'", problem);
  const std::string student = fields.text("student");
  if (!rules.students.emplace(student, rule).second)
    report(problem, node.where, msg::student_listed_twice(student));
}

}  // namespace

Result<LateRules> parse_late_rules(std::string_view text, const std::string& shown) {
  const auto root = parse_yaml(text, shown);
  if (!root) return root.problem();
  std::optional<Diagnostic> problem;
  static const std::vector<std::string> keys = {"due",     "grace_minutes",   "late_days", "penalty_per_day",
                                                "at_most", "none_after_days", "students"};
  const YamlFields fields(*root, "the rule for lateness", keys, problem);
  LateRules rules;
  if (const YamlNode* node = fields.maybe("due")) rules.due = as_time(*node, "'due'", problem);
  const auto number = [&](const char* key, double& value, double most) {
    if (const YamlNode* node = fields.maybe(key))
      value = as_number(*node, fmt::format("'{}'", key), 0, most, problem);
  };
  number("grace_minutes", rules.grace_minutes, kMaxDays * 24 * 60);
  number("late_days", rules.late_days, kMaxDays);
  if (const YamlNode* node = fields.maybe("penalty_per_day"))
    rules.penalty_per_day = as_share(*node, "'penalty_per_day'", problem);
  if (const YamlNode* node = fields.maybe("at_most")) rules.at_most = as_share(*node, "'at_most'", problem);
  if (const YamlNode* node = fields.maybe("none_after_days"))
    rules.none_after_days = as_number(*node, "'none_after_days'", 0, kMaxDays, problem);
  if (const YamlNode* list = fields.maybe("students")) {
    if (list->kind != YamlNode::Kind::Sequence)
      report(problem, list->where, msg::students_want_a_list(list->found()));
    for (const YamlNode& item : list->items) read_student(item, rules, problem);
  }
  if (problem) return *problem;
  return rules;
}

Lateness lateness(const LateRules& rules, const std::string& student, std::int64_t submitted_at,
                  double points, double max_points) {
  const auto own = rules.students.find(student);
  const StudentRule rule = own == rules.students.end() ? StudentRule() : own->second;
  const std::optional<std::int64_t> due = rule.due ? rule.due : rules.due;
  const std::int64_t at = rule.submitted.value_or(submitted_at);
  Lateness late;
  if (!due) return late;
  if (at == 0) {
    late.known = false;
    return late;
  }
  const double seconds = static_cast<double>(at - *due) - rules.grace_minutes * 60;
  if (seconds <= 0) return late;
  constexpr double kDay = 24 * 60 * 60;
  late.days = std::ceil(seconds / kDay);
  late.free = std::min(late.days, rule.late_days.value_or(rules.late_days));
  const double share = std::min(rules.at_most, (late.days - late.free) * rules.penalty_per_day);
  late.penalty = round_points(std::min(points, share * max_points));
  if (rules.none_after_days && late.days - late.free > *rules.none_after_days) late.penalty = points;
  return late;
}

}  // namespace cudalabs
