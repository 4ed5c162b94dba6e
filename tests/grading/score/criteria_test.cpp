// Correctness by criteria, and the gate before structure and speed.

#include "grader/grading/score/criteria.h"

#include <algorithm>

#include "grader/grading/score/score.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

TestCase of(const std::string& criterion) { return {{}, Distribution::Uniform, {}, criterion}; }

/// Two cases of "ragged", one of "negative", an empty one, and the timed one, which is "ragged" too.
Lab lab_with_criteria() {
  Lab lab;
  Version global;
  global.name = "global";
  global.correctness_points = 20;
  global.structure = {{Requirement::Coalesced, 10, 1.25}};
  lab.versions = {global};
  lab.criteria = {{"ragged", {{"en", "sizes that no block divides"}}, 30, false},
                  {"negative", {{"en", "negative values"}}, 60, false},
                  {"empty", {{"en", "nothing to do"}}, 10, false},
                  {"safe", {{"en", "no race"}}, 0, true}};
  lab.cases = {of("ragged"), of("ragged"), of("negative"), of("empty")};
  lab.timed = of("ragged");
  return lab;
}

VersionEvidence right() {
  VersionEvidence version;
  version.name = "global";
  for (const char* name : {"a", "b", "c", "nothing", "timed"}) {
    CaseEvidence test;
    test.name = name;
    test.verdict = Verdict::Accepted;
    test.watched = true;
    test.input_bytes = test.output_bytes = 4000;
    LaunchRecord launch;
    launch.kernel_full = "kernel()";
    launch.counters.global_load_sectors = launch.counters.global_load_ideal_sectors = 125;
    launch.counters.global_load_requests = 32;
    test.launches = {launch};
    version.cases.push_back(std::move(test));
  }
  version.cases[3].has_output = false;
  version.cases[4].timed = true;
  return version;
}

void fail(CaseEvidence& test, Verdict verdict = Verdict::WrongAnswer) {
  test.verdict = verdict;
  test.message = verbatim("out[3] is 0");
}

VersionResult judged(const VersionEvidence& evidence, Gate gate = Gate::Proportional) {
  Lab lab = lab_with_criteria();
  lab.gate = gate;
  return score(lab, {evidence}).versions[0];
}

std::vector<std::string> missed(const VersionResult& version) {
  std::vector<std::string> names;
  for (const CriterionResult& one : version.correctness.criteria) {
    if (!one.met) names.push_back(one.name);
  }
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("all criteria met earn everything") {
  const VersionResult version = judged(right());
  CHECK(missed(version) == Names{});
  CHECK(version.points == 30);
  CHECK(version.correctness.criteria[0].max_points == 6);
  CHECK(version.correctness.criteria[0].total == 3);
  CHECK(version.lost.empty());
}

TEST_CASE("a criterion is earned whole or not at all") {
  VersionEvidence evidence = right();
  fail(evidence.cases[0]);
  const VersionResult version = judged(evidence);
  CHECK(missed(version) == Names{"ragged"});
  CHECK(version.correctness.points == 14);
  CHECK(version.correctness.criteria[0].passed == 2);
  CHECK(version.structure[0].points == 7);  // seven tenths, as correctness
  CHECK(version.structure[0].satisfied);
  REQUIRE(version.lost.size() == 2);
  CHECK(version.lost[1].points == 3);
}

TEST_CASE("the gate") {
  VersionEvidence evidence = right();
  fail(evidence.cases[2]);
  CHECK(judged(evidence, Gate::Proportional).points == 12);
  CHECK(judged(evidence, Gate::Strict).points == 8);
  CHECK(judged(evidence, Gate::None).points == 18);
  CHECK(judged(evidence, Gate::Strict).lost.back().reason.english() ==
        "structure and speed earn no points while an answer is wrong");
}

TEST_CASE("a finding of a checker costs all, and no other criterion") {
  VersionEvidence evidence = right();
  fail(evidence.cases[1], Verdict::RuntimeError);
  evidence.cases[1].unsound = true;
  SECTION("in a case of which all blocks were watched") {}
  SECTION("in one of which some were") { evidence.cases[1].watched = false; }
  const VersionResult version = judged(evidence);
  CHECK(missed(version) == Names{"safe"});
  CHECK(version.points == 0);
  CHECK(version.lost[0].reason.english() ==
        "1 of 4 cases failed; the first is b: out[3] is 0; with a race, a wrong barrier or a result from an "
        "unset value "
        "a version earns nothing");
}

TEST_CASE("a barrier that some threads never reach costs the criterion of the checkers, too") {
  VersionEvidence evidence = right();
  fail(evidence.cases[1], Verdict::RuntimeError);
  const auto without = missed(judged(evidence));
  evidence.cases[1].wrong_barrier = true;
  auto with = missed(judged(evidence));
  CHECK(std::erase(with, "safe") == 1);
  CHECK(with == without);
}

TEST_CASE("what computes nothing earns nothing, though nothing is right for no elements") {
  VersionEvidence evidence = right();
  for (CaseEvidence& test : evidence.cases) {
    if (test.has_output) fail(test);
  }
  const VersionResult version = judged(evidence);
  CHECK(missed(version) == Names{"ragged", "negative"});
  CHECK(version.points == 0);
}

TEST_CASE("a bonus counts above the maximum") {
  Lab lab = lab_with_criteria();
  lab.criteria[1].bonus = true;  // "negative"
  lab.versions[0].bonus_points = 4;
  const auto result = [&](const VersionEvidence& evidence) { return score(lab, {evidence}); };
  const GradeResult all = result(right());
  CHECK(all.points == 34);
  CHECK(all.max_points == 30);
  CHECK(all.bonus_points == 4);
  CHECK(all.passed());
  CHECK(all.versions[0].correctness.criteria[0].max_points == 15);  // 30 of the 40 shares that are left
  VersionEvidence without = right();
  fail(without.cases[2]);
  const GradeResult none = result(without);
  CHECK(none.points == 30);
  CHECK(none.bonus_points == 0);
  CHECK(none.passed());
  CHECK(none.versions[0].verdict == Verdict::Accepted);
  CHECK(none.versions[0].lost.empty());
  REQUIRE(none.versions[0].notes.size() == 1);
  CHECK(none.versions[0].notes[0].english() == "no bonus: c failed: out[3] is 0");
  // It makes up for no loss.
  VersionEvidence ragged = right();
  fail(ragged.cases[0]);
  const GradeResult less = result(ragged);
  CHECK(less.points == 11.5);
  CHECK_FALSE(less.passed());
  // With a race nothing is earned.
  VersionEvidence racy = right();
  racy.cases[0].unsound = true;
  fail(racy.cases[0]);
  CHECK(result(racy).bonus_points == 0);
}

TEST_CASE("all points of a bonus version count above the maximum") {
  Lab lab = lab_with_criteria();
  lab.versions.push_back(lab.versions[0]);
  lab.versions[1].name = "faster";
  lab.versions[1].bonus = true;
  VersionEvidence faster = right();
  faster.cases[4].launches[0].kernel_full = "other()";
  faster.cases[4].launches[0].counters.warp_instructions = 5000;
  GradeResult result = score(lab, {right(), faster});
  CHECK(result.points == 60);
  CHECK(result.max_points == 30);
  CHECK(result.bonus_points == 30);
  VersionEvidence missing;
  missing.state = Verdict::Missing;
  result = score(lab, {right(), missing});
  CHECK(result.points == 30);
  CHECK(result.bonus_points == 0);
  CHECK(result.passed());
}

TEST_CASE("what a person or the class decides is open") {
  Lab lab = lab_with_criteria();
  lab.manual = {{"style", {{"en", "readable code"}}, 10}};
  lab.leaderboard = {{1, 10}, {3, 7}};
  const GradeResult result = score(lab, {right()});
  CHECK(result.points == 30);
  CHECK(result.max_points == 30);
  REQUIRE(result.open.size() == 2);
  CHECK(result.open[0].by == OpenPoints::By::Hand);
  CHECK(result.open[0].max_points == 10);
  CHECK(result.open[1].by == OpenPoints::By::Rank);
  CHECK(result.open[1].max_points == 10);
  CHECK(lab.max_points() == 50);
}

TEST_CASE("cases that were not run meet no criterion") {
  VersionEvidence evidence = right();
  fail(evidence.cases[0], Verdict::Timeout);
  evidence.cases[2].verdict = evidence.cases[4].verdict = Verdict::NotGraded;
  CHECK(missed(judged(evidence)) == Names{"ragged", "negative"});
}

}  // namespace cudalabs
