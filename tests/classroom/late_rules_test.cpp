#include "grader/classroom/late_rules.h"

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

HandInTime time(const char* text) { return {parse_time(text)->at}; }

/// The penalty for 80 of 100 points.
double penalty(const std::string& student, const char* at) {
  return lateness(rules(), student, time(at), 80, 100).penalty;
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
  CHECK(lateness(rules(), "a", time("2026-03-07T12:00:00Z"), 30, 100).penalty == 30);  // never below 0
}

TEST_CASE("Extensions, free days and times of single students", "[late]") {
  CHECK(penalty("4711", "2026-03-03T12:00:00Z") == 0);
  CHECK(penalty("4712", "2026-03-04T12:00:00Z") == 0);
  CHECK(penalty("4712", "2026-03-04T12:16:00Z") == 10);
  CHECK(lateness(rules(), "4713", {}, 80, 100).days == 1);
  const Lateness unknown = lateness(rules(), "a", {}, 80, 100);
  CHECK_FALSE(unknown.known);
  CHECK(unknown.penalty == 0);
  CHECK(lateness(LateRules(), "a", {}, 80, 100).known);
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
  CHECK(refused("due: 2026-03-01T12:00:00\n") ==
        "rule.yaml:1:6: 'due' must name its zone, for example +01:00 or Z, not '2026-03-01T12:00:00'\n  "
        "hint: for "
        "example 2026-03-01T23:59:00+01:00");
  CHECK(refused("students:\n  - {student: a, submitted: 2026-03-01}\n").starts_with("rule.yaml:2:29: "));
  CHECK(refused("groups: 5\n") == "rule.yaml:1:9: 'groups' must be a list, not '5'");
  CHECK(refused("groups:\n  - {group: A}\n") == "rule.yaml:2:5: a group must have 'students', a list of ids");
  CHECK(refused("groups:\n  - {group: A, students: [a, b]}\n  - {group: B, students: [b]}\n") ==
        "rule.yaml:3:27: the student 'b' is in two groups");
  CHECK(refused("students:\n  - {student: a, due: 2026-03-01T12:00:00Z, extension_days: 2}\n") ==
        "rule.yaml:2:5: 'due' and 'extension_days' exclude each other");
  // A rule that an earlier grader took stays readable.
  const auto old = parse_late_rules("due: 2026-03-01\n", "rule.yaml", MissingZone::MeansUtc);
  REQUIRE(old);
  CHECK(old->due->at == 1772323200);
}

TEST_CASE("Groups, extensions in days, and what a student has of his own", "[late]") {
  const auto rules = parse_late_rules(R"(due: 2026-03-01T12:00:00+01:00
penalty_per_day: 10%
groups:
  - {group: tuesday, students: [a, b, c], extension_days: 2}
  - {group: ill, students: [d], late_days: 1}
students:
  - {student: b, due: 2026-03-02T12:00:00+01:00}
  - {student: c, late_days: 1}
)",
                                      "rule.yaml");
  REQUIRE(rules);
  const auto days = [&](const char* student) {
    const Lateness late = lateness(*rules, student, time("2026-03-04T11:30:00Z"), 80, 100);
    return late.days - late.free;
  };
  CHECK(days("a") == 2);
  CHECK(days("b") == 3);
  CHECK(days("c") == 1);
  CHECK(days("d") == 3);
  CHECK(days("e") == 4);
}

TEST_CASE("A time without a zone is in the zone of the due time", "[late]") {
  const auto rules = parse_late_rules("due: 2026-03-01T12:00:00+05:00\npenalty_per_day: 10%\n", "rule.yaml");
  REQUIRE(rules);
  const auto days = [&](const char* at, bool zoneless) {
    return lateness(*rules, "a", {parse_time(at)->at, zoneless}, 80, 100).days;
  };
  CHECK(days("2026-03-01T12:00:00", true) == 0);
  CHECK(days("2026-03-01T12:01:00", true) == 1);
  CHECK(days("2026-03-01T07:00:00Z", false) == 0);
  CHECK(days("2026-03-01T12:00:00Z", false) == 1);
}

TEST_CASE("The service's judgement counts where it gives no time", "[late]") {
  const LateRules all = rules();
  const auto judged = [&](const char* student, bool late) {
    return lateness(all, student, {0, false, late}, 80, 100);
  };
  CHECK(judged("a", false).known);
  CHECK(judged("a", false).days == 0);
  CHECK(judged("a", true).days == 1);
  CHECK(judged("a", true).at_least);
  CHECK(judged("a", true).free == 1);
  // The service does not know of the extension.
  CHECK_FALSE(judged("4711", true).known);
  CHECK(judged("4711", false).known);
  CHECK_FALSE(judged("4713", true).at_least);
}
