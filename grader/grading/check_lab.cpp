#include "grader/grading/check_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grader/course/planted.h"
#include "grader/grading/cases/seed.h"
#include "grader/grading/compare/rehearsal.h"
#include "grader/grading/grade.h"

namespace cudalabs {
namespace {

using Names = std::vector<std::string>;

/// The names of the criteria that a version misses.
Names missed_by(const VersionResult& version) {
  Names names;
  for (const CriterionResult& one : version.correctness.criteria) {
    if (!one.met) names.push_back(one.name);
  }
  return names;
}

/// What is wrong about the criteria that a version with planted bugs misses; "" if nothing is.
std::string wrongly_missed(const VersionResult& version, const Names& allowed) {
  if (version.correctness.criteria.empty())
    return fmt::format("`{}` is not judged ({})", version.name, spelling(version.verdict));
  const Names missed = missed_by(version);
  const auto has = [](const Names& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  if (!allowed.empty() && !has(missed, allowed.front()))
    return fmt::format("`{}` does not miss '{}'", version.name, allowed.front());
  for (const std::string& name : missed) {
    if (!has(allowed, name)) return fmt::format("`{}` misses '{}', too", version.name, name);
  }
  return {};
}

}  // namespace

std::vector<std::string> size_holes(const Lab& lab) {
  std::vector<std::string> holes;
  std::vector<const TestCase*> cases{&lab.timed};
  for (const TestCase& test : lab.cases) cases.push_back(&test);
  for (std::size_t k = 0; k < lab.timed.sizes.size(); ++k) {
    std::vector<std::pair<std::int64_t, std::int64_t>> tested;
    for (const TestCase* test : cases) {
      const std::int64_t most = test->sizes[k].second;
      if (most > 0)
        tested.emplace_back(test->least.empty() ? most : std::max<std::int64_t>(test->least[k], 1), most);
    }
    std::ranges::sort(tested);
    std::int64_t reached = tested.empty() ? 0 : tested.front().second;
    for (const auto& [least, most] : tested) {
      if (least > 2 * reached)
        holes.push_back(fmt::format("no case has a `{}` from {} to {}", lab.timed.sizes[k].first, reached + 1,
                                    least - 1));
      reached = std::max(reached, most);
    }
  }
  return holes;
}

Result<PlantedFindings> check_planted(GradingContext& context) {
  constexpr std::uint64_t kSeed = 1;  // which criteria a bug misses may depend on it, and the answer must not
  const Lab& lab = context.lab();
  const auto all = load_planted(lab);
  if (!all) return all.problem();
  PlantedFindings findings;
  std::set<std::string> proven;
  for (const Planted& planted : *all) {
    auto job = prepare(context, {lab.reference, {}, kSeed});
    if (!job) return job.problem();
    auto source = with_bugs(std::move(job->submission.source.content), planted);
    if (!source) return source.problem();
    job->submission.source.content = std::move(*source);
    const auto result = grade(context, *job, [](const Message&) {});
    if (!result) return result.problem();
    for (const VersionResult& version : result->versions) {
      const auto named =
          std::ranges::find(planted.misses, version.name, [](const auto& entry) { return entry.first; });
      const Names allowed = named == planted.misses.end() ? Names{} : named->second;
      if (!allowed.empty()) proven.insert(allowed.front());
      if (const std::string wrong = wrongly_missed(version, allowed); !wrong.empty())
        findings.problems.push_back(fmt::format("the bug planted at {}:{}: {} (seed {})", planted.where.file,
                                                planted.where.line, wrong, result->seed));
    }
  }
  for (const Criterion& criterion : lab.criteria) {
    if (!all->empty() && !proven.contains(criterion.name)) findings.unproven.push_back(criterion.name);
  }
  return findings;
}

Result<std::string> compiler_warnings(GradingContext& context, const Submission& submission) {
  const auto built = context.build(submission);
  if (!built) return built.problem();
  std::string text;
  for (const CompilerMessage& message : built->warnings)
    text += (text.empty() ? "" : "\n") + message.display();
  return text;
}

Result<Rehearsal> rehearse_oracle(GradingContext& context) {
  const auto seed = fresh_seed();
  if (!seed) return seed.problem();
  const auto oracle = context.oracle();
  if (!oracle) return oracle.problem();
  return rehearse(context.lab(), **oracle, *seed);
}

}  // namespace cudalabs
