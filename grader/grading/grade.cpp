#include "grader/grading/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <future>

#include "grader/base/hash/sha256.h"
#include "grader/base/human.h"
#include "grader/base/log/log.h"
#include "grader/base/text.h"
#include "grader/classroom/intake/find_submission.h"
#include "grader/diagnostics/messages/score.h"
#include "grader/grading/cached_run.h"
#include "grader/grading/cases/seed.h"
#include "grader/grading/explain/build_verdict.h"
#include "grader/grading/explain/verdict.h"
#include "grader/grading/grade_version.h"
#include "grader/grading/measure_version.h"
#include "grader/grading/observation/stored_run.h"
#include "grader/grading/run/run_version.h"
#include "grader/grading/score/score.h"

namespace cudalabs {
namespace {

using Clock = std::chrono::steady_clock;

bool timed_right(const VersionEvidence& version) {
  return version.state == Verdict::Accepted && version.cases.back().verdict == Verdict::Accepted;
}

/// Counts cases as the report does: a case without elements shows only that nothing crashes
/// (grading/score/score.cpp).
Message running(const Version& version, const Lab& lab) {
  const auto empty = static_cast<std::size_t>(std::ranges::count_if(
      lab.cases, [&](const TestCase& test) { return !has_output_elements(lab, test); }));
  return msg::running_cases(version.name, lab.cases.size() + 1 - empty, empty);
}

/// Logs what the cases that are not right are explained by.
void log_explanations(const VersionEvidence& version) {
  for (const CaseEvidence& test : version.cases) {
    if (test.verdict == Verdict::Accepted) continue;
    logging::debug(logging::Stage::Explain, [&] {
      std::vector<std::string_view> ids;
      for (const Message& message : test.message) ids.push_back(message.id());
      return fmt::format("{}, case {}: {} by {}, at {}", version.name, test.name, spelling(test.verdict),
                         ids.empty() ? "nothing" : fmt::format("{}", fmt::join(ids, ", ")),
                         test.where.file.empty() ? "no line" : place_of(test.where));
    });
  }
}

/// Runs a version on the GPU after the simulator. If its timed answer is right there, all its cases run again
/// on the GPU, and it is timed.
Result<void> run_on_card(RunContext& card, const BuildOutcome& built, const std::filesystem::path& reference,
                         std::size_t version, VersionEvidence& evidence, const Progress& progress) {
  const Version& wanted = card.lab.versions[version];
  progress(msg::running_on_card(wanted.name, card.device->facts().name));
  auto run = grade_version(card, built.executable, version);
  if (!run) return run.problem();
  overrule(evidence, std::move(*run));
  if (!timed_right(evidence)) return {};
  auto measured = measure_version(card, built.executable, reference, version, evidence.cases.back());
  if (!measured) return measured.problem();
  evidence.measured = std::move(*measured);
  return {};
}

struct RunSummary {
  double cpu_ms = 0;  ///< on one CPU thread; 0 if nothing was timed
  std::string card;   ///< empty: times are estimated
  DeviceKind device{};
};

/// Adds the reference's figures to a version whose timed answer is right. Returns the reference's program, or
/// an empty path if it is not needed.
Result<std::filesystem::path> add_reference(GradingContext& context, std::size_t v, VersionEvidence& evidence,
                                            RunSummary& summary, const Progress& progress) {
  if (context.lab().versions[v].speed_points <= 0 || !timed_right(evidence)) return std::filesystem::path();
  auto reference = context.reference(v, progress);
  if (!reference) return reference.problem();
  summary.cpu_ms = reference->figures.cpu_ms;
  evidence.reference_launches = std::move(reference->figures.launches);
  evidence.reference_copies_ns = reference->figures.copies_ns;
  return reference->executable;
}

std::filesystem::path file_of_run(const GradeJob& job, const Version& version) {
  return job.stored_runs / (version.name + ".run");
}

std::string key_of_run(const GradeJob& job, const Lab& lab, const Version& version) {
  Sha256 key;
  key.add_part(grader_version()).add_part(lab.slug).add_part(version.name).add_part(std::to_string(job.seed));
  key.add_part(job.submission.source.content);
  for (const SourceFile& header : job.submission.headers) key.add_part(header.name).add_part(header.content);
  return key.hex();
}

/// Runs one version on the simulator, and stores what was observed if the job asks for that.
Result<VersionEvidence> run_on_simulator(RunContext& simulator, const std::filesystem::path& executable,
                                         const GradeJob& job, std::size_t v) {
  if (job.stored_runs.empty()) return grade_version(simulator, executable, v);
  VersionRunner runner(simulator, executable, v);
  RecordingRunner recording(runner);
  auto evidence = grade_version(simulator, recording, v);
  if (!evidence) return evidence;
  const Version& version = simulator.lab.versions[v];
  const auto stored =
      store_run(file_of_run(job, version), key_of_run(job, simulator.lab, version), recording.bytes());
  return stored ? std::move(evidence) : Result<VersionEvidence>(stored.problem());
}

using Runs = std::vector<std::future<Result<VersionEvidence>>>;

/// Starts all versions that can be run, each on a simulator of its own. They share the budget.
Runs start_versions(GradingContext& context, const Lab& lab, const std::shared_ptr<Budget>& budget,
                    const BuildOutcome& built, const GradeJob& job,
                    const std::vector<VersionEvidence>& evidence) {
  Runs runs(lab.versions.size());
  for (std::size_t v = 0; v < lab.versions.size(); ++v) {
    if (evidence[v].state != Verdict::Accepted) continue;
    runs[v] = std::async(std::launch::async, [&, budget, v]() -> Result<VersionEvidence> {
      auto simulator = context.simulator(lab, job.seed, GradingContext::Purpose::Checkers);
      if (!simulator) return simulator.problem();
      simulator->budget = budget;
      return run_on_simulator(*simulator, built.executable, job, v);
    });
  }
  return runs;
}

/// Runs one version, and the reference for comparison. `started`: it runs already.
Result<void> run_version(GradingContext& context, RunContext& simulator, RunContext& card,
                         const BuildOutcome& built, const GradeJob& job, std::size_t v,
                         std::future<Result<VersionEvidence>>* started, VersionEvidence& evidence,
                         RunSummary& summary, const Progress& progress) {
  const Version& version = context.lab().versions[v];
  progress(running(version, context.lab()));
  auto run = started != nullptr ? started->get() : run_on_simulator(simulator, built.executable, job, v);
  if (!run) return run.problem();
  evidence = std::move(*run);
  log_explanations(evidence);
  consult_source(job.submission, context.lab(), version.entry, evidence);
  const auto reference = add_reference(context, v, evidence, summary, progress);
  if (!reference) return reference.problem();
  if (!card.device || reference->empty()) return {};
  return run_on_card(card, built, *reference, v, evidence, progress);
}

using Ended = std::function<void(std::size_t version, const RunSummary& so_far)>;

/// Runs all versions that can be run.
Result<RunSummary> run_versions(GradingContext& context, const BuildOutcome& built, const GradeJob& job,
                                std::vector<VersionEvidence>& evidence, const Progress& progress,
                                const Ended& ended) {
  const Lab lab = with_drawn_sizes(context.lab(), job.seed);
  auto simulator = context.simulator(lab, job.seed, GradingContext::Purpose::Checkers);
  if (!simulator) return simulator.problem();
  auto card = context.card(lab, job.seed, context.options().device, {}, progress);
  if (!card) return card.problem();
  simulator->budget = card->budget = std::make_shared<Budget>(lab.limits);

  Runs runs;
  if (context.options().versions_at_once)
    runs = start_versions(context, lab, simulator->budget, built, job, evidence);

  RunSummary summary;
  summary.device = card->device ? card->device->kind() : simulator->device_options.kind;
  if (card->device) summary.card = card->device->facts().name;
  for (std::size_t v = 0; v < lab.versions.size(); ++v) {
    if (evidence[v].state != Verdict::Accepted) continue;
    auto run = run_version(context, *simulator, *card, built, job, v, runs.empty() ? nullptr : &runs[v],
                           evidence[v], summary, progress);
    if (!run) return run.problem();
    // An interrupt kills the running programs, so their results are not evidence.
    if (context.cancelled()) return error(msg::grading_interrupted());
    ended(v, summary);
  }
  return summary;
}

/// Explains the stored runs of all versions again. Needs no device.
Result<RunSummary> replay_versions(GradingContext& context, const GradeJob& job,
                                   std::vector<VersionEvidence>& evidence, const Progress& progress) {
  const Lab lab = with_drawn_sizes(context.lab(), job.seed);
  const auto cases = context.cases(lab, job.seed);
  if (!cases) return cases.problem();
  RunSummary summary;
  for (std::size_t v = 0; v < lab.versions.size(); ++v) {
    if (evidence[v].state != Verdict::Accepted) continue;
    auto bytes = stored_run(file_of_run(job, lab.versions[v]), key_of_run(job, lab, lab.versions[v]));
    if (!bytes) return bytes.problem();
    StoredRunner stored(*std::move(bytes));
    auto again = grade_version(*cases, stored, v);
    if (!again) return again.problem();
    if (const auto all = stored.finished(); !all) return all.problem();
    evidence[v] = std::move(*again);
    consult_source(job.submission, lab, lab.versions[v].entry, evidence[v]);
    const auto reference = add_reference(context, v, evidence[v], summary, progress);
    if (!reference) return reference.problem();
  }
  return summary;
}

/// The evidence after version `last` has been run; later versions that can be run are pending. Empty if there
/// are no later ones.
std::vector<VersionEvidence> known_after(std::size_t last, const std::vector<VersionEvidence>& evidence) {
  std::vector<VersionEvidence> known = evidence;
  bool any = false;
  for (std::size_t v = last + 1; v < known.size(); ++v) {
    if (known[v].state != Verdict::Accepted) continue;
    known[v].state = Verdict::Pending;
    known[v].message = msg::not_run_when_stopped();
    any = true;
  }
  return any ? known : std::vector<VersionEvidence>();
}

Result<std::string> key_of(GradingContext& context, const GradeJob& job) {
  const auto oracle = context.oracle();
  if (!oracle) return oracle.problem();
  const auto compiler = context.compiler();
  if (!compiler) return compiler.problem();
  return run_key(with_drawn_sizes(context.lab(), job.seed), **oracle, *compiler, context.options().profile,
                 job.submission, job.versions, job.seed);
}

}  // namespace

std::string_view grader_version() { return CUDALABS_VERSION; }

// The stages that a submission passes through. The first stage, config, is GradingContext::open.

Result<GradeJob> prepare(const GradingContext& context, const GradeRequest& request) {
  const Lab& lab = context.lab();
  std::vector<std::string> names;
  for (const Version& version : lab.versions) names.push_back(version.name);
  for (const std::string& name : request.versions) {
    if (lab.find_version(name) != nullptr) continue;
    return error(msg::no_such_version(lab.slug, name, suggestion(name, names)),
                 msg::versions_of_lab(listed(names)));
  }
  // locate
  Messages found;
  auto submission = search_submission(lab, slugs_of(context.course()), request.submission, found);
  if (!submission) {
    Diagnostic problem = submission.problem();
    std::error_code ignored;
    problem.is_submissions_fault =
        request.submission.empty() || std::filesystem::exists(request.submission, ignored);
    return problem;
  }
  const auto seed = request.seed ? Result<std::uint64_t>(*request.seed) : fresh_seed();
  if (!seed) return seed.problem();
  std::string policy = request.seed_policy;
  if (policy.empty()) policy = request.seed ? kNamedSeed : spelling(SeedPolicy::Fresh);
  return GradeJob{std::move(*submission), request.versions, *seed, std::move(policy), std::move(found)};
}

Result<GradeResult> grade(GradingContext& context, const GradeJob& job, const Progress& progress,
                          const PartialResult& partial) {
  const Clock::time_point start = Clock::now();
  const std::time_t started_at = std::time(nullptr);
  const Lab& lab = context.lab();
  progress(msg::grading_starts(lab.slug, job.submission.file.string(), std::to_string(job.seed)));

  // score
  const auto result_of = [&](std::vector<VersionEvidence> known, const RunSummary& summary,
                             SandboxKind sandbox, const Messages& said) {
    GradeResult result = score(lab, std::move(known));
    result.device = info_of(summary.device).name;
    result.card = summary.card;
    const NamedProfile& profile = context.options().profile;
    if (summary.card.empty()) result.profile = {profile.name, profile.title};
    if (auto compiler = context.compiler()) result.compiler = std::move(*compiler);
    result.seed = job.seed;
    result.seed_policy = job.seed_policy;
    result.file = job.submission.source.name;
    result.source = split_lines(job.submission.source.content);
    result.compiler_output = said;
    result.nondeterministic.grader_version = grader_version();
    result.nondeterministic.started_at = utc_time(started_at);
    result.nondeterministic.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    result.nondeterministic.cpu_ms = summary.cpu_ms;
    result.nondeterministic.sandbox = spelling(sandbox);
    result.nondeterministic.sandbox_warning = sandbox_warning(sandbox);
    result.nondeterministic.submission = job.submission.file.string();
    result.nondeterministic.submission_note = job.found;
    return result;
  };

  std::string key;
  // Results of a card are not cached, because it measures anew each time.
  if (!job.cached_run.empty() && !may_measure(context.options().device)) {
    auto found = key_of(context, job);
    if (!found) return found.problem();
    key = std::move(*found);
  }
  if (!key.empty() && !job.run_again) {
    if (auto kept = find_run(job.cached_run, key)) {
      progress(msg::nothing_to_run_again());
      RunSummary summary;
      for (std::size_t v = 0; v < kept->evidence.size(); ++v) {
        const auto reference = add_reference(context, v, kept->evidence[v], summary, progress);
        if (!reference) return reference.problem();
      }
      return result_of(std::move(kept->evidence), summary, usable_sandbox(), kept->compiler_output);
    }
  }

  // compile
  progress(msg::compiling_submission());
  auto built = context.build(job.submission);
  if (context.cancelled()) return error(msg::grading_interrupted());
  if (!built) return built.problem();
  std::vector<VersionEvidence> evidence = judge_build(lab, *built, job.versions);
  const Messages said = compiler_output(*built);

  // run and check
  RunSummary summary;
  const bool runs = std::ranges::any_of(evidence, [](const auto& e) { return e.state == Verdict::Accepted; });
  if (runs) {
    const Ended ended = [&](std::size_t version, const RunSummary& so_far) {
      if (!partial) return;
      auto known = known_after(version, evidence);
      if (!known.empty()) partial(result_of(std::move(known), so_far, usable_sandbox(), said));
    };
    auto run = job.replay ? replay_versions(context, job, evidence, progress)
                          : run_versions(context, *built, job, evidence, progress, ended);
    if (context.cancelled()) return error(msg::grading_interrupted());
    if (!run) return run.problem();
    summary = std::move(*run);
  }
  if (!key.empty()) keep_run(job.cached_run, key, {evidence, said});
  return result_of(std::move(evidence), summary, runs ? usable_sandbox() : built->sandbox, said);
}

}  // namespace cudalabs
