// Hidden cases in results.

#include "grader/grading/score/hidden.h"

#include "grader/diagnostics/messages/score.h"
#include "grader/grading/score/algorithm.h"
#include "grader/grading/score/rules.h"
#include "grader/grading/score/score.h"
#include "tests/grading/score/two_versions.h"
#include "tests/harness/catch.h"

namespace cudalabs {

TEST_CASE("results say nothing of the data of hidden cases") {
  VersionEvidence global = all_right("global");
  global.cases[1] = failed("hidden 1 (ragged)");
  global.cases[1].hidden = true;
  global.cases[1].advice = Messages{verbatim("n is 7"), msg::write_for_any_size()};
  const auto lost = [&] { return score(two_versions(), {global, all_right("padded")}).versions[0].lost[0]; };
  CHECK(lost().reason.english() ==
        "1 of 3 cases failed; the first is hidden 1 (ragged): the answer is wrong, and a hidden case shows "
        "no data");
  CHECK(lost().advice == Messages(msg::try_own_inputs()));
  CHECK(lost().where.line == 0);
  SECTION("a public case is shown rather than a hidden one") {
    global.cases[2] = failed("two");
    CHECK(lost().case_name == "two");
    CHECK(lost().reason.english().find("is two: out[3] is 0") != std::string::npos);
  }
  SECTION("a hidden case that breaks the rules") {
    global.cases[1] = passed("hidden 1 (ragged)");
    global.cases[1].hidden = true;
    global.cases[1].output_bytes = 40'000;  // and almost nothing was stored
    CHECK(lost().part == "rules");
    CHECK(lost().reason.english() ==
          "hidden 1 (ragged): it broke the rules, and a hidden case shows no data");
  }
}

TEST_CASE("what an accepted hidden case shows of a rule says nothing of its data") {
  Lab lab = two_versions();
  VersionEvidence global = all_right("global");
  for (CaseEvidence& test : global.cases) test.launches[0].block = {128, 1, 1};
  global.cases[1] = passed("hidden 1 (ragged)");
  global.cases[1].hidden = true;
  LaunchRecord& launch = global.cases[1].launches[0];
  launch.block = {128, 1, 1};
  SECTION("the size of a block may be that of the case") {
    lab.versions[0].block_size = 128;
    launch.block = {47, 1, 1};
  }
  SECTION("the kernel may be chosen by the data") {
    lab.versions[0].forbids = {Rule::Atomics};
    launch.kernel = "step<47>(float*)";
    launch.counters.shared_atomic_instructions = 1;
  }
  SECTION("a grid that follows the size") {
    lab.versions[0].algorithm = Algorithm{.fixed_grid = true};
    global.cases[3].input_elements = global.cases[3].threads = 1000;
    global.cases[1].input_elements = global.cases[1].threads = 47'000;
  }
  for (CaseEvidence& test : global.cases) record_deeds(test);
  const VersionResult version = score(lab, {global, all_right("padded")}).versions[0];
  REQUIRE(version.lost.size() == 1);
  CHECK(version.lost[0].reason.english().ends_with(
      "hidden 1 (ragged): it broke the rules, and a hidden case shows no data"));
  CHECK(version.lost[0].advice.english().find("128") == std::string::npos);
}

TEST_CASE("a public case that breaks a rule is told rather than a hidden one") {
  Lab lab = two_versions();
  lab.versions[0].block_size = 128;
  VersionEvidence global = all_right("global");
  for (CaseEvidence& test : global.cases) test.launches[0].block = {128, 1, 1};
  global.cases[1].launches[0].block = {32, 1, 1};
  global.cases[2].launches[0].block = {47, 1, 1};
  global.cases[2].hidden = true;
  for (CaseEvidence& test : global.cases) record_deeds(test);
  const VersionResult version = score(lab, {global, all_right("padded")}).versions[0];
  REQUIRE(version.lost.size() == 1);
  CHECK(version.lost[0].reason.english().find("have 32 threads, not 128") != std::string::npos);
}

}  // namespace cudalabs
