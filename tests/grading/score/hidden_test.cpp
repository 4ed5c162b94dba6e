// Hidden cases in results.

#include "grader/grading/score/hidden.h"

#include "grader/diagnostics/messages/score.h"
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

}  // namespace cudalabs
