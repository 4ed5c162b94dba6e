#include "grader/present/losses.h"

#include <algorithm>

namespace cudalabs {
namespace {

void gather(std::vector<Loss>& losses, const VersionResult& version, const LostPoints& lost) {
  auto loss = std::find_if(losses.begin(), losses.end(), [&](const Loss& other) {
    return other.first->reason == lost.reason && other.first->where == lost.where;
  });
  if (loss == losses.end()) loss = losses.insert(losses.end(), Loss{&lost, &version, {}, {}});
  if (std::ranges::find(loss->versions, version.name) == loss->versions.end())
    loss->versions.push_back(version.name);
  add_part(loss->parts, lost.part);
  loss->points += lost.points;
  loss->wrong |= lost.part != "speed" && !lost.part.starts_with("structure");
}

/// The messages that stand for a parameter; null if there is no such parameter.
const Messages* argument_named(const Message& message, std::string_view name) {
  std::string_view rest = message.row().parameters;
  for (const Argument& argument : message.arguments()) {
    if (rest.substr(0, rest.find(':')) == name) return std::get_if<Messages>(&argument);
    rest.remove_prefix(std::min(rest.find(' '), rest.size() - 1) + 1);
  }
  return nullptr;
}

}  // namespace

const Message& cause_of(const Messages& reason) {
  static const Message kNone;
  const Message* cause = reason.empty() ? &kNone : &reason[0];
  while (const Messages* const why = cause->empty() ? nullptr : argument_named(*cause, "why")) {
    if (why->empty()) break;
    cause = &(*why)[0];
  }
  return *cause;
}

void add_part(std::vector<std::string>& parts, const std::string& part) {
  constexpr std::string_view kBoth = "structure and speed";
  if (std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
  // Versions may have lost points for both parts or for one of them. The combined entry covers both.
  if (std::ranges::find(parts, kBoth) != parts.end())
    std::erase_if(parts, [](const std::string& one) { return one == "structure" || one == "speed"; });
}

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

const CriterionResult* CriterionRow::of(const VersionResult& version) const {
  const auto it = std::ranges::find(versions, &version, [](const auto& entry) { return entry.first; });
  return it == versions.end() ? nullptr : it->second;
}

bool CriterionRow::missed() const {
  return !std::ranges::all_of(versions, [](const auto& entry) { return entry.second->met; });
}

std::vector<CriterionRow> criteria_of(const GradeResult& result) {
  std::vector<CriterionRow> rows;
  for (const VersionResult& version : result.versions) {
    for (const CriterionResult& one : version.correctness.criteria) {
      auto row = std::ranges::find_if(
          rows, [&](const CriterionRow& other) { return other.versions.front().second->name == one.name; });
      if (row == rows.end()) row = rows.insert(rows.end(), CriterionRow{});
      row->versions.emplace_back(&version, &one);
    }
  }
  return rows;
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
