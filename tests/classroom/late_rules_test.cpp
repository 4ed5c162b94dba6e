#include "grader/classroom/late_rules.h"

#include "grader/classroom/intake/layouts.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

const char* const kRule = R"(due: 2026-03-01T12:00:00Z
grace_minutes: 15
late_days: 1
penalty_per_day: 10%
at_most: 50%
none_after_days: 7
students:
  - {student: "4711", due: 2026-03-03T12:00:00Z}
  - {student: "4712", late_days: 3}
  - {student: "4713", submitted: 2026-03-02T12:00:00Z}
)";

LateRules rules() {
  auto parsed = parse_late_rules(kRule, "rule.yaml");
  REQUIRE(parsed);
  return *parsed;
}

/// The penalty for 80 of 100 points.
double penalty(const std::string& student, const char* at) {
  return lateness(rules(), student, parse_time(at), 80, 100).penalty;
}

std::string refused(const std::string& text) {
  auto parsed = parse_late_rules(text, "rule.yaml");
  return parsed ? "" : parsed.problem().text();
}

}  // namespace

TEST_CASE("Each begun day costs its share of the maximum", "[late]") {
  CHECK(penalty("a", "2026-03-01T11:00:00Z") == 0);
  CHECK(penalty("a", "2026-03-01T12:15:00Z") == 0);  // the grace period
  CHECK(penalty("a", "2026-03-01T12:16:00Z") == 0);  // the free day
  CHECK(penalty("a", "2026-03-02T12:15:00Z") == 0);
  CHECK(penalty("a", "2026-03-02T12:16:00Z") == 10);
  CHECK(penalty("a", "2026-03-04T12:00:00Z") == 20);
  CHECK(penalty("a", "2026-03-08T12:00:00Z") == 50);  // the maximum penalty
  CHECK(penalty("a", "2026-03-20T12:00:00Z") == 80);  // after a week nothing counts
  CHECK(lateness(rules(), "a", parse_time("2026-03-07T12:00:00Z"), 30, 100).penalty == 30);  // never below 0
}

TEST_CASE("Extensions, free days and times of single students", "[late]") {
  CHECK(penalty("4711", "2026-03-03T12:00:00Z") == 0);
  CHECK(penalty("4712", "2026-03-04T12:00:00Z") == 0);
  CHECK(penalty("4712", "2026-03-04T12:16:00Z") == 10);
  CHECK(lateness(rules(), "4713", 0, 80, 100).days == 1);
  const Lateness unknown = lateness(rules(), "a", 0, 80, 100);
  CHECK_FALSE(unknown.known);
  CHECK(unknown.penalty == 0);
  CHECK(lateness(LateRules(), "a", 0, 80, 100).known);
}

TEST_CASE("A rule that makes no sense says where", "[late]") {
  CHECK(refused("due: soon\n") ==
        "rule.yaml:1:6: 'due' must be a time, not 'soon'\n  hint: for example 2026-03-01T23:59:00+01:00");
  CHECK(
      refused("penalty_per_day: 10\n") ==
      "rule.yaml:1:18: 'penalty_per_day' must be a share of the maximum, not '10'\n  hint: from 0% to 100%, "
      "for "
      "example 10%");
  CHECK(refused("penalty: 10%\n").starts_with("rule.yaml:1:1: "));
  CHECK(refused("students: 5\n") == "rule.yaml:1:11: 'students' must be a list, not '5'");
  CHECK(refused("students:\n  - {student: a}\n  - {student: a}\n") ==
        "rule.yaml:3:5: the student 'a' is listed twice");
}
