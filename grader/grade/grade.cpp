#include "grader/grade/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "grader/run/build_verdict.h"
#include "grader/run/measure_version.h"
#include "grader/run/run_version.h"
#include "grader/run/verdict.h"
#include "grader/score/human.h"
#include "grader/score/score.h"
#include "grader/support/text.h"

namespace cudalabs {
namespace {

using Clock = std::chrono::steady_clock;

bool timed_right(const VersionEvidence& version) {
  return version.state == Verdict::Accepted && version.cases.back().verdict == Verdict::Accepted;
}

/// As the report counts them: a case without elements shows only that nothing crashes (score/score.cpp).
std::string words_of_cases(const Lab& lab) {
  const auto empty = static_cast<std::size_t>(std::ranges::count_if(
      lab.cases, [&](const TestCase& test) { return !has_output_elements(lab, test); }));
  const std::string counted = plural(lab.cases.size() + 1 - empty, "case");
  return empty == 0 ? counted : fmt::format("{} and {} without elements", counted, empty);
}

/// The card beside the simulator: a version whose timed answer is right there is run on every case again, and
/// timed.
Result<void> run_on_card(RunContext& card, const BuildOutcome& built, const std::filesystem::path& reference,
                         std::size_t version, VersionEvidence& evidence, const Progress& progress) {
  const Version& wanted = card.lab.versions[version];
  progress(fmt::format("running and timing `{}` on the {}", wanted.name, card.device->facts().name));
  auto run = VersionRunner(card, built.executable, version).run_all();
  if (!run) return run.problem();
  overrule(evidence, std::move(*run));
  if (!timed_right(evidence)) return {};
  auto measured = measure_version(card, built.executable, reference, version, evidence.cases.back());
  if (!measured) return measured.problem();
  evidence.measured = std::move(*measured);
  return {};
}

struct RunSummary {
  double cpu_ms = 0;  ///< of one CPU thread; 0 if nothing was timed
  std::string card;   ///< empty: times are estimated
};

/// Runs what can be run, and the reference beside every version whose timed answer is right.
Result<RunSummary> run_versions(Bench& bench, const BuildOutcome& built, std::uint64_t seed,
                                std::vector<VersionEvidence>& evidence, const Progress& progress) {
  const Lab& lab = bench.lab();
  auto simulator = bench.simulator(lab, seed, Bench::Watch::Checkers);
  if (!simulator) return simulator.problem();
  auto card = bench.card(lab, seed, bench.options().device, {}, progress);
  if (!card) return card.problem();
  simulator->budget = card->budget = std::make_shared<Budget>(lab.limits);

  RunSummary summary;
  if (card->device) summary.card = card->device->facts().name;
  for (std::size_t v = 0; v < lab.versions.size(); ++v) {
    if (evidence[v].state != Verdict::Accepted) continue;
    progress(fmt::format("running `{}` on {}", lab.versions[v].name, words_of_cases(lab)));
    auto run = VersionRunner(*simulator, built.executable, v).run_all();
    if (!run) return run.problem();
    evidence[v] = std::move(*run);
    const bool timed = lab.versions[v].speed_points > 0;
    if (!timed || !timed_right(evidence[v])) continue;
    auto reference = bench.reference(v, progress);
    if (!reference) return reference.problem();
    summary.cpu_ms = reference->figures.cpu_ms;
    evidence[v].reference_launches = std::move(reference->figures.launches);
    evidence[v].reference_copies_ns = reference->figures.copies_ns;
    if (!card->device) continue;
    auto measured = run_on_card(*card, built, reference->executable, v, evidence[v], progress);
    if (!measured) return measured.problem();
  }
  return summary;
}

/// "2026-01-31T12:00:00Z"
std::string utc(std::time_t time) {
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace

std::string_view grader_version() { return CUDALABS_VERSION; }

// The path of a submission. Its first stage, config, is Bench::open.

Result<GradeJob> prepare(const Bench& bench, const GradeRequest& request) {
  const Lab& lab = bench.lab();
  std::vector<std::string> names;
  for (const Version& version : lab.versions) names.push_back(version.name);
  for (const std::string& name : request.versions) {
    if (lab.find_version(name) != nullptr) continue;
    return error(fmt::format("{} has no version '{}'{}", lab.slug, name, did_you_mean(name, names)),
                 fmt::format("its versions are {}", fmt::join(names, ", ")));
  }
  // locate
  auto submission = locate_submission(lab, request.submission);
  if (!submission) return submission.problem();
  const auto seed = request.seed ? Result<std::uint64_t>(*request.seed) : fresh_seed();
  if (!seed) return seed.problem();
  return GradeJob{std::move(*submission), request.versions, *seed};
}

Result<GradeResult> grade(Bench& bench, const GradeJob& job, const Progress& progress) {
  const Clock::time_point start = Clock::now();
  const std::time_t started_at = std::time(nullptr);
  const Lab& lab = bench.lab();
  progress(fmt::format("{}: {}, seed {}", lab.slug, job.submission.file.string(), job.seed));

  // compile
  progress("compiling the submission");
  auto built = bench.build(job.submission);
  if (bench.cancelled()) return error("interrupted");
  if (!built) return built.problem();
  std::vector<VersionEvidence> evidence = judge_build(lab, *built, job.versions);

  // run and check
  RunSummary summary;
  SandboxKind sandbox = built->sandbox;
  if (std::any_of(evidence.begin(), evidence.end(),
                  [](const auto& e) { return e.state == Verdict::Accepted; })) {
    auto run = run_versions(bench, *built, job.seed, evidence, progress);
    if (bench.cancelled()) return error("interrupted");
    if (!run) return run.problem();
    summary = std::move(*run);
    sandbox = usable_sandbox();
  }

  // score
  GradeResult result = score(lab, evidence);
  result.device = summary.card.empty() ? "simulator" : "gpu";
  result.card = summary.card;
  const NamedProfile& profile = bench.options().profile;
  if (summary.card.empty()) result.profile = {profile.name, profile.title};
  if (auto compiler = bench.compiler()) result.compiler = std::move(*compiler);
  result.seed = job.seed;
  result.file = job.submission.source.name;
  result.source = split_lines(job.submission.source.content);
  result.compiler_output = compiler_text(*built);
  result.nondeterministic.grader_version = grader_version();
  result.nondeterministic.started_at = utc(started_at);
  result.nondeterministic.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  result.nondeterministic.cpu_ms = summary.cpu_ms;
  result.nondeterministic.sandbox = spelling(sandbox);
  result.nondeterministic.sandbox_warning = sandbox_warning(sandbox);
  result.nondeterministic.submission = job.submission.file.string();
  return result;
}

}  // namespace cudalabs
