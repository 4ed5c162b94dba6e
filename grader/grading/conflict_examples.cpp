#include "grader/grading/conflict_examples.h"

#include <algorithm>
#include <map>

#include "grader/base/human.h"
#include "grader/grading/trace.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMaxLines = 4;  // shown on a page

bool lost_to_conflicts(const VersionResult& version) {
  return std::ranges::any_of(version.structure, [](const StructureResult& structure) {
    return structure.requirement == Requirement::BankConflictFree && structure.judged && !structure.satisfied;
  });
}

/// Finds the worst access of each of the submission's lines, sorted with the worst line first.
std::vector<ConflictExample> worst_accesses(const std::vector<LaunchRecord>& launches,
                                            const std::string& file) {
  std::map<std::uint32_t, sim::SharedExample> lines;
  for (const LaunchRecord& launch : launches) {
    for (const sim::LineAccesses& line : launch.accesses) {
      sim::SharedExample& worst = lines[line.line];
      if (base_name(line.file) == file && line.worst.mask != 0 &&
          line.worst.degree > std::max(1U, worst.degree))
        worst = line.worst;
    }
  }
  std::vector<ConflictExample> examples;
  for (auto& [number, access] : lines) {
    if (access.degree > 1) examples.push_back({{file, static_cast<int>(number), 0}, std::move(access)});
  }
  std::ranges::stable_sort(examples, std::ranges::greater(),
                           [](const ConflictExample& e) { return e.access.degree; });
  if (examples.size() > kMaxLines) examples.resize(kMaxLines);
  return examples;
}

}  // namespace

Result<void> add_conflict_examples(GradingContext& context, const GradeJob& job, GradeResult& result) {
  GradeJob once_more = job;
  once_more.versions.clear();
  for (const VersionResult& version : result.versions) {
    if (lost_to_conflicts(version)) once_more.versions.push_back(version.name);
  }
  if (once_more.versions.empty()) return {};
  const auto traced = trace(context, once_more, context.lab().timed, [](const Message&) {});
  if (!traced) return traced.problem();
  for (const VersionEvidence& evidence : traced->versions) {
    const auto version = std::ranges::find(result.versions, evidence.name, &VersionResult::name);
    if (version == result.versions.end() || evidence.cases.empty()) continue;
    version->conflicts = worst_accesses(evidence.cases.front().launches, result.file);
  }
  return {};
}

}  // namespace cudalabs
