#include "grader/pipeline.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <chrono>

#include "grader/build/compile.h"
#include "grader/check/inputs.h"
#include "grader/check/oracle.h"
#include "grader/config/cache.h"
#include "grader/config/embedded_course.h"
#include "grader/run/run_version.h"
#include "grader/score/score.h"
#include "grader/score/text.h"
#include "grader/support/text.h"

namespace cudalabs {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Result<std::uint64_t> fresh_seed() {
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
    return error("the system gave no random numbers for the seed");
  return seed;
}

bool wanted(const GradeRequest& request, const Version& version) {
  return request.versions.empty() ||
         std::find(request.versions.begin(), request.versions.end(), version.name) != request.versions.end();
}

VersionEvidence not_run(const Version& version, Verdict state, std::string message, std::string advice,
                        Location where = {}) {
  VersionEvidence evidence;
  evidence.name = version.name;
  evidence.state = state;
  evidence.message = std::move(message);
  evidence.advice = std::move(advice);
  evidence.where = std::move(where);
  return evidence;
}

/// Why a version cannot be run, judged from the build alone; Accepted: it can.
VersionEvidence judge_build(const Version& version, const BuildOutcome& build, const EntryState* entry) {
  switch (build.status) {
    case BuildStatus::RuleViolation: return not_run(version, Verdict::RuleViolation, build.sentence, "");
    case BuildStatus::LimitReached:
    case BuildStatus::CompileError: {
      if (build.errors.empty()) return not_run(version, Verdict::CompileError, build.sentence, "");
      const CompilerMessage& first = build.errors.front();
      return not_run(version, Verdict::CompileError, "the file does not compile: " + first.text,
                     "Repair the first error; later ones often follow from it.",
                     {first.file, first.line, first.column});
    }
    case BuildStatus::Ok: break;
  }
  if (entry != nullptr && entry->defined) return not_run(version, Verdict::Accepted, "", "");
  const bool near_miss = entry != nullptr && !entry->near_miss.empty();
  return not_run(
      version, Verdict::Missing,
      fmt::format("`{}` is not defined{}", version.entry,
                  near_miss ? ": " + entry->near_miss : std::string()),
      near_miss ? "" : "Define it with exactly the name and the parameters that the handout gives.");
}

std::string compiler_text(const BuildOutcome& build) {
  std::string text;
  for (const CompilerMessage& message : build.errors) {
    if (!text.empty()) text += "\n";
    text += message.display();
  }
  if (build.errors_left_out > 0)
    text += fmt::format("\n... and {} more", plural(build.errors_left_out, "error"));
  return text;
}

/// The best of a few runs of the course's single-thread CPU version on the timed case, in milliseconds.
double time_cpu(const Lab& lab, const Oracle& oracle, std::uint64_t seed) {
  const CaseData data =
      make_case(lab, oracle, lab.timed, {seed, static_cast<std::uint32_t>(lab.cases.size()), 0, 0});
  std::vector<std::vector<std::byte>> results;
  double best = 0;
  const Clock::time_point begin = Clock::now();
  for (int run = 0; run < 4 && seconds_since(begin) < 1; ++run) {
    const Clock::time_point start = Clock::now();
    oracle.baseline(lab, lab.timed, data.inputs, results);
    const double ms = seconds_since(start) * 1e3;
    if (run > 0) best = run == 1 ? ms : std::min(best, ms);  // the first run allocates `results`
  }
  return best;
}

std::string sandbox_warning(SandboxKind kind) {
  switch (kind) {
    case SandboxKind::Bubblewrap: return "";
    case SandboxKind::Landlock:
      return "Sandbox: Landlock instead of bubblewrap; the submission could see that other processes exist. "
             "Install "
             "bubblewrap and allow user namespaces for full isolation.";
    case SandboxKind::LimitsOnly:
      return "Sandbox: resource limits only; the submission could read this user's files. Do not grade "
             "strangers' code here: "
             "install bubblewrap and allow user namespaces.";
  }
  std::abort();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// The reference solution's launches of one version on the timed case, from the same device in the same run.
Result<std::vector<LaunchRecord>> time_reference(RunContext& context, const BuildOutcome& reference,
                                                 std::size_t version) {
  VersionRunner runner(context, reference.executable, version);
  auto run = runner.run_timed();
  if (!run) return run.problem();
  if (run->verdict != Verdict::Accepted) {
    return error(fmt::format("the reference solution fails on the timed case: {}", run->message),
                 "this is the course's fault, not the submission's: tell its staff");
  }
  return std::move(run->launches);
}

}  // namespace

std::string_view grader_version() { return CUDALABS_VERSION; }

Result<GradeJob> prepare(const GradeRequest& request) {
  auto lab = load_lab(request.course, request.lab, request.variant);
  if (!lab) return lab.problem();
  std::vector<std::string> names;
  for (const Version& version : lab->versions) names.push_back(version.name);
  for (const std::string& name : request.versions) {
    if (lab->find_version(name) != nullptr) continue;
    return error(fmt::format("{} has no version '{}'{}", lab->slug, name, did_you_mean(name, names)),
                 fmt::format("its versions are {}", fmt::join(names, ", ")));
  }
  auto submission = locate_submission(*lab, request.submission);
  if (!submission) return submission.problem();
  return GradeJob{request, std::move(*lab), std::move(*submission)};
}

Result<GradeResult> grade(const GradeJob& job, const Progress& progress) {
  const Clock::time_point start = Clock::now();
  const auto started_at = std::chrono::system_clock::now();
  const Lab& lab = job.lab;

  auto seed = job.request.seed ? Result<std::uint64_t>(*job.request.seed) : fresh_seed();
  if (!seed) return seed.problem();
  progress(fmt::format("{}: {}, seed {}", lab.slug, job.submission.file.string(), *seed));

  // build: the submission and the reference solution, by the same compiler in the same sandbox
  auto toolchain = find_toolchain();
  if (!toolchain) return toolchain.problem();
  auto runtime = runtime_folder();
  if (!runtime) return runtime.problem();
  auto cache = cache_folder();
  if (!cache) return cache.problem();
  const BuildOptions options{*runtime / "libcudalabs_cudart.a", {}, {job.request.course.root}};
  progress("compiling the submission");
  auto built = build_submission(lab, job.submission, *toolchain, options);
  if (!built) return built.problem();

  // run: every version that can be, on every case
  std::vector<VersionEvidence> evidence;
  for (const Version& version : lab.versions) {
    const auto entry = std::find_if(built->entries.begin(), built->entries.end(),
                                    [&](const EntryState& state) { return state.version == version.name; });
    evidence.push_back(wanted(job.request, version)
                           ? judge_build(version, *built, entry == built->entries.end() ? nullptr : &*entry)
                           : not_run(version, Verdict::NotGraded, "left out by --version", ""));
  }
  SandboxKind sandbox = built->sandbox;
  double cpu_ms = 0;
  const auto runnable = [](const VersionEvidence& version) { return version.state == Verdict::Accepted; };
  if (std::any_of(evidence.begin(), evidence.end(), runnable)) {
    progress("preparing the expected results");
    auto oracle = Oracle::load(lab, *cache / "oracles");
    if (!oracle) return oracle.problem();
    RunContext context{lab, *oracle, *seed, {}, nullptr, job.request.cancel};
    context.device_options.kind = job.request.device;
    context.device_options.max_warp_instructions = lab.limits.warp_instructions;
    auto device = DeviceProcess::start(context.device_options);
    if (!device) return device.problem();
    context.device = std::move(*device);

    std::optional<BuildOutcome> reference;
    for (std::size_t v = 0; v < lab.versions.size(); ++v) {
      if (!runnable(evidence[v])) continue;
      progress(fmt::format("running `{}`: {}", lab.versions[v].name, plural(lab.cases.size() + 1, "case")));
      VersionRunner runner(context, built->executable, v);
      auto run = runner.run_all();
      if (!run) return run.problem();
      evidence[v] = std::move(*run);
      const bool all_right =
          std::all_of(evidence[v].cases.begin(), evidence[v].cases.end(),
                      [](const CaseEvidence& test) { return test.verdict == Verdict::Accepted; });
      if (!all_right || lab.versions[v].speed_points <= 0) continue;
      if (!reference) {
        progress("compiling the reference solution");
        auto solution = locate_submission(lab, lab.reference);
        if (!solution) return solution.problem();
        auto outcome = build_submission(lab, *solution, *toolchain, options);
        if (!outcome) return outcome.problem();
        if (outcome->status != BuildStatus::Ok) {
          return error("the reference solution does not compile: " + outcome->sentence + "\n" +
                       compiler_text(*outcome));
        }
        reference = std::move(*outcome);
        cpu_ms = time_cpu(lab, *oracle, *seed);
      }
      auto launches = time_reference(context, *reference, v);
      if (!launches) return launches.problem();
      evidence[v].reference_launches = std::move(*launches);
    }
    sandbox = usable_sandbox();
  }

  GradeResult result = score(lab, evidence);
  result.device = job.request.device == DeviceKind::Simulator ? "simulator" : "gpu";
  result.seed = *seed;
  result.file = job.submission.source.name;
  result.source = lines_of(job.submission.source.content);
  result.compiler_output = compiler_text(*built);
  result.nondeterministic = {
      std::string(grader_version()),
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(started_at))),
      seconds_since(start),
      cpu_ms,
      std::string(spelling(sandbox)),
      sandbox_warning(sandbox),
      job.submission.file.string()};
  return result;
}

}  // namespace cudalabs
