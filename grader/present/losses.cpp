#include "grader/present/losses.h"

#include <algorithm>

namespace cudalabs {
namespace {

void gather(std::vector<Loss>& losses, const VersionResult& version, const LostPoints& lost) {
  auto loss = std::find_if(losses.begin(), losses.end(), [&](const Loss& other) {
    return other.first->reason == lost.reason && other.first->where == lost.where;
  });
  if (loss == losses.end()) loss = losses.insert(losses.end(), Loss{&lost, &version, {}, {}});
  const auto name = [](std::vector<std::string>& names, const std::string& word) {
    if (std::find(names.begin(), names.end(), word) == names.end()) names.push_back(word);
  };
  name(loss->versions, version.name);
  name(loss->parts, lost.part);
  // Versions may have lost points for both parts or for one of them. The combined entry covers both.
  if (std::find(loss->parts.begin(), loss->parts.end(), "structure and speed") != loss->parts.end())
    std::erase_if(loss->parts,
                  [](const std::string& part) { return part == "structure" || part == "speed"; });
  loss->points += lost.points;
  loss->wrong |= lost.part != "speed" && !lost.part.starts_with("structure");
}

}  // namespace

std::string Loss::version_names() const {
  std::string names;
  for (const std::string& name : versions) names += (names.empty() ? "" : ", ") + name;
  return names;
}

std::vector<Loss> losses_of(const GradeResult& result) {
  std::vector<Loss> losses;
  for (const VersionResult& version : result.versions) {
    if (version.verdict == Verdict::Pending) continue;
    for (const LostPoints& lost : version.lost) gather(losses, version, lost);
  }
  return losses;
}

std::vector<const CaseFailure*> failures_beside(const LostPoints* told,
                                                const CorrectnessResult& correctness) {
  const auto& failures = correctness.failures;
  auto named = failures.end();
  if (told != nullptr) {
    named = std::ranges::find(failures, told->case_name, &CaseFailure::case_name);
  }
  if (named == failures.end()) named = failures.begin();
  std::vector<const CaseFailure*> others;
  for (auto failure = failures.begin(); failure != failures.end(); ++failure) {
    if (failure != named) others.push_back(&*failure);
  }
  return others;
}

}  // namespace cudalabs
