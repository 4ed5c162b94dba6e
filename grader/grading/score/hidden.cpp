#include "grader/grading/score/hidden.h"

#include <utility>

#include "grader/diagnostics/messages/score.h"

namespace cudalabs {
namespace {

/// A message with arguments may name sizes, elements, threads or values.
Messages without_values(const Messages& messages) {
  Messages kept;
  for (const Message& message : messages)
    if (message.arguments().empty()) kept.add(message);
  return kept;
}

}  // namespace

void hide_data(VersionEvidence& evidence) {
  for (CaseEvidence& test : evidence.cases) {
    if (!test.hidden || test.verdict == Verdict::Accepted || test.verdict == Verdict::NotGraded) continue;
    test.message = msg::hidden_case_failed(spelling(test.verdict));
    test.advice = without_values(test.advice);
  }
}

void hide_data(const CaseEvidence& test, Remark& remark) {
  if (!test.hidden) return;
  remark.reason =
      msg::case_breaks_rules(test.name, msg::hidden_case_failed(spelling(Verdict::RuleViolation)));
  remark.advice = without_values(remark.advice);
}

}  // namespace cudalabs
