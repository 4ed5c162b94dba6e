#include "grader/grading/score/criteria.h"

#include <algorithm>

namespace cudalabs {
namespace {

/// What is wrong with the case besides its answer, or by luck not.
bool is_unsound(const CaseEvidence& test) { return test.by_order || test.unsound; }

const std::string& criterion_of(const Lab& lab, std::size_t index) {
  return index < lab.cases.size() ? lab.cases[index].criterion : lab.timed.criterion;
}

CriterionResult judge_safe(const Criterion& criterion, const VersionEvidence& evidence) {
  CriterionResult result{criterion.name, criterion.titles, criterion.needed};
  for (const CaseEvidence& test : evidence.cases) {
    const bool unsafe = is_unsound(test) || test.wrong_barrier;
    if (!test.has_output || !(test.watched || unsafe)) continue;
    ++result.total;
    result.passed += unsafe ? 0 : 1;
  }
  result.met = result.passed == result.total;
  return result;
}

/// A finding counts for kSafe alone, where the lab has that.
CriterionResult judge_cases(const Criterion& criterion, const Lab& lab, const VersionEvidence& evidence) {
  CriterionResult result{criterion.name, criterion.titles, criterion.needed};
  const bool safe_apart = must_be_safe(lab);
  for (std::size_t i = 0; i < evidence.cases.size(); ++i) {
    const CaseEvidence& test = evidence.cases[i];
    if (criterion_of(lab, i) != criterion.name) continue;
    ++result.total;
    result.passed += test.verdict == Verdict::Accepted || (safe_apart && is_unsound(test)) ? 1 : 0;
  }
  result.met = result.passed == result.total;
  return result;
}

/// Does the version compute anything that is right? What does nothing meets the cases without elements, and
/// no checker finds anything in it.
bool computes(const VersionEvidence& evidence) {
  return std::ranges::any_of(evidence.cases, [](const CaseEvidence& test) {
    return test.has_output && test.verdict == Verdict::Accepted;
  });
}

}  // namespace

bool must_be_safe(const Lab& lab) {
  return std::ranges::find(lab.criteria, kSafe, &Criterion::name) != lab.criteria.end();
}

std::vector<CriterionResult> judge_criteria(const Lab& lab, const VersionEvidence& evidence,
                                            double max_points) {
  std::vector<CriterionResult> results;
  double shares = 0;
  for (const Criterion& criterion : lab.criteria) {
    results.push_back(criterion.name == kSafe ? judge_safe(criterion, evidence)
                                              : judge_cases(criterion, lab, evidence));
    shares += criterion.share;
  }
  const bool earns = computes(evidence) && std::ranges::all_of(results, [](const CriterionResult& one) {
                       return one.met || !one.needed;
                     });
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].max_points = max_points * lab.criteria[i].share / shares;
    results[i].points = earns && results[i].met ? results[i].max_points : 0;
  }
  return results;
}

}  // namespace cudalabs
