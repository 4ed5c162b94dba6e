#include "grader/classroom/late_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "grader/base/human.h"
#include "grader/base/parse_number.h"
#include "grader/course/yaml_reader.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

constexpr double kMaxDays = 3650;

/// Reads the rule's YAML.
struct RuleReader {
  MissingZone zone;
  std::optional<Diagnostic> problem;

  RuleTime time(const YamlNode& node, const std::string& what) {
    const std::string text = as_text(node, what, problem);
    const auto read = parse_time(text);
    if (!read && !problem)
      report(problem, node.where, msg::wants_a_time(what, node.found()), msg::time_example());
    if (read && !read->offset && zone == MissingZone::IsAnError)
      report(problem, node.where, msg::time_without_zone(what, node.found()), msg::time_example());
    return read ? RuleTime{read->at, read->offset.value_or(0)} : RuleTime();
  }
  void fields(const YamlFields& of, const Location& where, StudentRule& rule) {
    if (const YamlNode* due = of.maybe("due")) rule.due = time(*due, "'due'");
    if (const YamlNode* days = of.maybe("extension_days"))
      rule.extension_days = as_number(*days, "'extension_days'", 0, kMaxDays, problem);
    if (const YamlNode* days = of.maybe("late_days"))
      rule.late_days = as_number(*days, "'late_days'", 0, kMaxDays, problem);
    if (rule.due && rule.extension_days) report(problem, where, msg::due_and_extension());
  }
  void student(const YamlNode& node, LateRules& rules);
  void group(const YamlNode& node, LateRules& rules, std::map<std::string, StudentRule>& grouped);
};

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

void RuleReader::student(const YamlNode& node, LateRules& rules) {
  static const std::vector<std::string> keys = {"student", "due", "extension_days", "late_days", "submitted"};
  const YamlFields of(node, "a student", keys, problem);
  StudentRule rule;
  fields(of, node.where, rule);
  if (const YamlNode* at = of.maybe("submitted")) rule.submitted = time(*at, "'submitted'");
  const std::string student = of.text("student");
  if (!rules.students.emplace(student, rule).second)
    report(problem, node.where, msg::student_listed_twice(student));
}

void RuleReader::group(const YamlNode& node, LateRules& rules, std::map<std::string, StudentRule>& grouped) {
  static const std::vector<std::string> keys = {"group", "students", "due", "extension_days", "late_days"};
  const YamlFields of(node, "a group", keys, problem);
  (void)of.text("group");
  StudentRule rule;
  fields(of, node.where, rule);
  const YamlNode* list = of.maybe("students");
  if (list == nullptr || list->kind != YamlNode::Kind::Sequence) {
    report(problem, node.where, msg::group_wants_students());
    return;
  }
  for (const YamlNode& item : list->items) {
    const std::string student = as_text(item, "a student", problem);
    if (!grouped.emplace(student, rule).second)
      report(problem, item.where, msg::student_in_two_groups(student));
    // What is said of the student alone comes first.
    StudentRule& own = rules.students[student];
    if (!own.due && !own.extension_days) {
      own.due = rule.due;
      own.extension_days = rule.extension_days;
    }
    if (!own.late_days) own.late_days = rule.late_days;
  }
}

}  // namespace

Result<LateRules> parse_late_rules(std::string_view text, const std::string& shown, MissingZone zone) {
  const auto root = parse_yaml(text, shown);
  if (!root) return root.problem();
  RuleReader reader{zone, {}};
  std::optional<Diagnostic>& problem = reader.problem;
  static const std::vector<std::string> keys = {"due",     "grace_minutes",   "late_days", "penalty_per_day",
                                                "at_most", "none_after_days", "students",  "groups"};
  const YamlFields fields(*root, "the rule for lateness", keys, problem);
  LateRules rules;
  if (const YamlNode* node = fields.maybe("due")) rules.due = reader.time(*node, "'due'");
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
  const auto each = [&](const char* key, auto read) {
    const YamlNode* list = fields.maybe(key);
    if (list == nullptr) return;
    if (list->kind != YamlNode::Kind::Sequence)
      report(problem, list->where, msg::wants_a_list(fmt::format("'{}'", key), list->found()));
    for (const YamlNode& item : list->items) read(item);
  };
  each("students", [&](const YamlNode& item) { reader.student(item, rules); });
  std::map<std::string, StudentRule> grouped;
  each("groups", [&](const YamlNode& item) { reader.group(item, rules, grouped); });
  if (problem) return *problem;
  return rules;
}

Lateness lateness(const LateRules& rules, const std::string& student, const HandInTime& time, double points,
                  double max_points) {
  constexpr double kDay = 24 * 60 * 60;
  const auto own = rules.students.find(student);
  const StudentRule rule = own == rules.students.end() ? StudentRule() : own->second;
  const std::optional<RuleTime> due = rule.due ? rule.due : rules.due;
  Lateness late;
  if (!due) return late;
  if (rule.submitted || time.at != 0) {
    const std::int64_t at = rule.submitted ? rule.submitted->at : time.at - (time.zoneless ? due->offset : 0);
    const double seconds =
        static_cast<double>(at - due->at) - rule.extension_days.value_or(0) * kDay - rules.grace_minutes * 60;
    if (seconds <= 0) return late;
    late.days = std::ceil(seconds / kDay);
  } else {
    const bool extended = rule.due || rule.extension_days;
    late.known = time.late && (!*time.late || !extended);
    if (!late.known || !*time.late) return late;
    late.days = 1;
    late.at_least = true;
  }
  late.free = std::min(late.days, rule.late_days.value_or(rules.late_days));
  const double share = std::min(rules.at_most, (late.days - late.free) * rules.penalty_per_day);
  late.penalty = round_points(std::min(points, share * max_points));
  if (rules.none_after_days && late.days - late.free > *rules.none_after_days) late.penalty = points;
  return late;
}

}  // namespace cudalabs
