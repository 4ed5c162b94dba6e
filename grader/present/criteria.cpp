#include "grader/present/criteria.h"

#include <algorithm>

#include "grader/diagnostics/language.h"
#include "grader/present/causes.h"

namespace cudalabs {
namespace {

CriterionState state_of(bool met) { return met ? CriterionState::Met : CriterionState::Missed; }

/// Without a needed criterion the others say nothing.
bool is_luck(const CorrectnessResult& correctness) {
  return std::ranges::any_of(correctness.criteria,
                             [](const CriterionResult& one) { return one.needed && !one.met; });
}

/// One for all cases, where the lab has no criteria or no case was run.
JudgedCriterion all_cases(const CorrectnessResult& correctness) {
  JudgedCriterion all{"cases", tr("all cases right"), CriterionState::NotJudged, correctness.points,
                      correctness.max_points};
  if (correctness.total > 0) all.state = state_of(correctness.passed == correctness.total);
  return all;
}

JudgedCriterion speed_of(const SpeedResult& speed) {
  JudgedCriterion one{"speed", tr("speed"), CriterionState::NotJudged, speed.points, speed.max_points};
  if (speed.source != TimeSource::None)
    one.state = speed.points > 0 && speed.points < speed.max_points
                    ? CriterionState::InPart
                    : state_of(speed.points >= speed.max_points);
  return one;
}

}  // namespace

std::string_view words_of(CriterionState state) {
  switch (state) {
    case CriterionState::Met: return "met";
    case CriterionState::InPart: return "met in part";
    case CriterionState::Missed: return "missed";
    case CriterionState::NotJudged: break;
  }
  return "not judged";
}

std::vector<JudgedCriterion> judged_criteria(const VersionResult& version) {
  std::vector<JudgedCriterion> all;
  const bool luck = is_luck(version.correctness);
  for (const CriterionResult& one : version.correctness.criteria)
    all.push_back({"case." + one.name, title_of(one.titles) + (one.bonus ? tr(" (bonus)") : ""),
                   luck && !one.needed ? CriterionState::NotJudged : state_of(one.met), one.points,
                   one.max_points});
  if (all.empty()) all.push_back(all_cases(version.correctness));
  for (const StructureResult& one : version.structure) {
    const std::string key = "structure." + std::string(spelling(one.requirement));
    all.push_back({key, words_of_part(key), one.judged ? state_of(one.satisfied) : CriterionState::NotJudged,
                   one.points, one.max_points});
  }
  if (version.speed.max_points > 0) all.push_back(speed_of(version.speed));
  return all;
}

}  // namespace cudalabs
