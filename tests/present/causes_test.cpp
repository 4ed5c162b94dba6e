#include "grader/present/causes.h"

#include <algorithm>

#include "grader/diagnostics/messages/run.h"
#include "grader/diagnostics/messages/score.h"
#include "grader/diagnostics/messages/sim.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

Message wrong(int value) { return msg::element_wrong("out[0]", std::to_string(value), "1", Message()); }
CaseFailure values(const char* name, int value) { return {name, Verdict::WrongAnswer, wrong(value), {}, {}}; }

/// A race in `line`, as racecheck tells it.
CaseFailure race(const char* name, int line) {
  CaseFailure failure{name, Verdict::WrongAnswer, {}, msg::advice_syncthreads_between(), {"a.cu", line, 0}};
  failure.message =
      msg::seen_by_checker(msg::race_between_warps(Message()), msg::asked_in_line(line), Message());
  failure.message.add(wrong(line));
  return failure;
}

VersionResult version(const char* name, std::vector<CaseFailure> failures) {
  VersionResult result;
  result.name = name;
  result.verdict = Verdict::WrongAnswer;
  result.correctness.total = 10;
  const CaseFailure& told = failures.front();
  result.lost.push_back({5, "correctness",
                         msg::cases_failed(static_cast<std::int64_t>(failures.size()), 10, 0, "first",
                                           told.case_name, told.message),
                         told.advice, told.where, told.case_name});
  result.lost.push_back({3, "speed", msg::judged_with_timed_case("n=9"), {}, {}, {}});
  result.correctness.failures = std::move(failures);
  return result;
}

}  // namespace

TEST_CASE("one bug in several versions is one cause, with its lines and what waits for it", "[causes]") {
  GradeResult result;
  result.versions = {version("one", {race("n=1", 11), race("n=2", 11), values("n=3", 7)}),
                     version("two", {race("n=1", 30)})};
  const std::vector<Cause> causes = causes_of(result);
  REQUIRE(causes.size() == 1);
  const Cause& cause = causes[0];
  CHECK(cause.version_names() == "one, two");
  CHECK(cause.points == 16);
  CHECK(cause.parts == std::vector<std::string>{"correctness", "speed"});
  CHECK(cause.places == std::vector<Location>{{"a.cu", 11, 0}, {"a.cu", 30, 0}});
  CHECK(cause.judged_later.is(msg::judged_with_timed_case));
  CHECK(cause.beside.empty());  // wrong values follow from the race
  CHECK(cause.extent().english() ==
        "3 of 10 cases of one fail; 1 of 10 cases of two fail; the one shown is n=1");
}

TEST_CASE("a cause beside another is told by one case", "[causes]") {
  GradeResult result;
  result.versions = {version("one", {values("n=1", 5), race("n=2", 11), race("n=3", 11), values("n=4", 6)})};
  const std::vector<Cause> causes = causes_of(result);
  REQUIRE(causes.size() == 1);
  CHECK(causes[0].extent().english() == "2 of 10 cases fail; the one shown is n=1");
  REQUIRE(causes[0].beside.size() == 1);
  CHECK(causes[0].beside[0]->case_name == "n=2");
}

TEST_CASE("what to mend first stands in front, and what is not written yet behind it", "[causes]") {
  VersionResult missing;
  missing.name = "missing";
  missing.verdict = Verdict::Missing;
  missing.lost.push_back({35, "everything", msg::entry_not_defined("f"), {}, {}, {}});
  VersionResult slow;
  slow.name = "slow";
  slow.verdict = Verdict::Accepted;
  slow.lost.push_back({1, "speed", msg::call_timeout(1.0), {}, {}, {}});
  GradeResult result;
  result.versions = {slow, missing, version("values", {values("n=1", 5)}),
                     version("race", {race("n=1", 11)})};
  std::string order;
  for (const Cause& cause : causes_of(result)) order += cause.version_names() + " ";
  CHECK(order == "race values missing slow ");
}

}  // namespace cudalabs
