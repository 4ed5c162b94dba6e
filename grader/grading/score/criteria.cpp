#include "grader/grading/score/criteria.h"

#include <algorithm>

namespace cudalabs {
namespace {

/// What is wrong with the case besides its answer, or by luck not.
bool is_unsound(const CaseEvidence& test) { return test.by_order || test.unsound; }

const std::string& criterion_of(const Lab& lab, std::size_t index) {
  return index < lab.cases.size() ? lab.cases[index].criterion : lab.timed.criterion;
}

CriterionResult blank(const Criterion& criterion) {
  CriterionResult result;
  result.name = criterion.name;
  result.titles = criterion.titles;
  result.needed = criterion.needed;
  result.bonus = criterion.bonus;
  return result;
}

CriterionResult judge_safe(const Criterion& criterion, const VersionEvidence& evidence) {
  CriterionResult result = blank(criterion);
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
  CriterionResult result = blank(criterion);
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

}  // namespace

bool computes(const VersionEvidence& evidence) {
  return std::ranges::any_of(evidence.cases, [](const CaseEvidence& test) {
    return test.has_output && !test.empty_answer && test.verdict == Verdict::Accepted;
  });
}

bool must_be_safe(const Lab& lab) {
  return std::ranges::find(lab.criteria, kSafe, &Criterion::name) != lab.criteria.end();
}

bool is_bonus(const Lab& lab, std::size_t index) {
  const auto found = std::ranges::find(lab.criteria, criterion_of(lab, index), &Criterion::name);
  return found != lab.criteria.end() && found->bonus;
}

std::vector<CriterionResult> judge_criteria(const Lab& lab, const VersionEvidence& evidence,
                                            double max_points, double bonus_points) {
  std::vector<CriterionResult> results;
  double shares = 0, bonus_shares = 0;
  for (const Criterion& criterion : lab.criteria) {
    results.push_back(criterion.name == kSafe ? judge_safe(criterion, evidence)
                                              : judge_cases(criterion, lab, evidence));
    (criterion.bonus ? bonus_shares : shares) += criterion.share;
  }
  const bool earns = computes(evidence) && std::ranges::all_of(results, [](const CriterionResult& one) {
                       return one.met || !one.needed;
                     });
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Criterion& criterion = lab.criteria[i];
    results[i].max_points = criterion.bonus ? bonus_points * criterion.share / bonus_shares
                                            : max_points * criterion.share / shares;
    results[i].points = earns && results[i].met ? results[i].max_points : 0;
  }
  return results;
}

}  // namespace cudalabs
