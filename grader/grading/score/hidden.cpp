#include "grader/grading/score/hidden.h"

#include <utility>

#include "grader/diagnostics/messages/score.h"

namespace cudalabs {

void hide_data(VersionEvidence& evidence) {
  for (CaseEvidence& test : evidence.cases) {
    if (!test.hidden || test.verdict == Verdict::Accepted || test.verdict == Verdict::NotGraded) continue;
    test.message = msg::hidden_case_failed(spelling(test.verdict));
    test.advice = msg::try_own_inputs();
    test.where = {};  // a program could tell sizes by its lines
  }
}

void hide_data(const CaseEvidence& test, Remark& remark) {
  if (!test.hidden) return;
  remark.reason =
      msg::case_breaks_rules(test.name, msg::hidden_case_failed(spelling(Verdict::RuleViolation)));
  remark.advice = msg::try_own_inputs();
  remark.where = {};
}

}  // namespace cudalabs
