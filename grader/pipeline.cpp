#include "grader/pipeline.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "grader/check/inputs.h"
#include "grader/check/oracle.h"
#include "grader/check/rehearsal.h"
#include "grader/compile/compile.h"
#include "grader/config/cache.h"
#include "grader/config/embedded_course.h"
#include "grader/run/build_verdict.h"
#include "grader/run/measure_version.h"
#include "grader/run/run_version.h"
#include "grader/run/verdict.h"
#include "grader/score/human.h"
#include "grader/score/score.h"
#include "grader/simulator/observers/checkers.h"
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

/// The one that was asked for, or a fresh one.
Result<std::uint64_t> seed_of(const GradeJob& job) {
  return job.request.seed ? Result<std::uint64_t>(*job.request.seed) : fresh_seed();
}

/// What building and running need of this machine.
struct Tools {
  Toolchain toolchain;
  BuildOptions build;
  std::filesystem::path oracles;  ///< where compiled oracles are kept
};

Result<Tools> find_tools(const Course& course) {
  auto toolchain = find_toolchain();
  if (!toolchain) return toolchain.problem();
  auto runtime = runtime_folder();
  if (!runtime) return runtime.problem();
  auto cache = cache_folder();
  if (!cache) return cache.problem();
  return Tools{
      std::move(*toolchain), {*runtime / "libcudalabs_cudart.a", {}, {course.root}}, *cache / "oracles"};
}

/// The simulator: it judges answers and structure wherever the times come from.
Result<RunContext> open_simulator(const GradeJob& job, const Lab& lab, const Oracle& oracle,
                                  std::uint64_t seed, bool access_map) {
  RunContext context{lab, oracle, seed, {}, nullptr, job.request.cancel};
  context.device_options.access_map = access_map;
  if (!access_map) {
    using enum sim::Checker;
    context.device_options.checkers =
        sim::checker_bit(Initcheck) | sim::checker_bit(Racecheck) | sim::checker_bit(Synccheck);
  }
  context.device_options.profile = job.request.profile.numbers;
  context.device_options.max_warp_instructions = job.lab.limits.warp_instructions;
  // A simulated card's memory is memory of this machine:
  // a submission gets as much of it as for its host code.
  context.device_options.memory_bytes = job.lab.limits.memory_bytes;
  auto device = DeviceProcess::start(context.device_options);
  if (!device) return device.problem();
  context.device = std::move(*device);
  return context;
}

bool all_right(const VersionEvidence& version) {
  return std::all_of(version.cases.begin(), version.cases.end(),
                     [](const CaseEvidence& test) { return test.verdict == Verdict::Accepted; });
}

Result<BuildOutcome> build_reference(const Lab& lab, const Tools& tools) {
  auto solution = locate_submission(lab, lab.reference);
  if (!solution) return solution.problem();
  auto built = build_submission(lab, *solution, tools.toolchain, tools.build);
  if (built && built->status != BuildStatus::Ok) {
    return error("the reference solution does not compile: " + built->sentence + "\n" +
                 compiler_text(*built));
  }
  return built;
}

/// The reference solution's launches of one version on the timed case, on the same device in the same run.
Result<std::vector<LaunchRecord>> time_reference(RunContext& context, const BuildOutcome& reference,
                                                 std::size_t version) {
  auto run = VersionRunner(context, reference.executable, version).run_timed();
  if (!run) return run.problem();
  if (run->verdict != Verdict::Accepted) {
    return error(fmt::format("the reference solution fails on the timed case: {}", run->message),
                 "this is the course's fault, not the submission's: tell its staff");
  }
  return std::move(run->launches);
}

/// The best of a few runs of the course's single-thread CPU program on the timed case, in milliseconds.
double time_cpu(const Lab& lab, const Oracle& oracle, std::uint64_t seed) {
  const CaseData data =
      make_case(lab, oracle, lab.timed, {seed, static_cast<std::uint32_t>(lab.cases.size()), 0, 0});
  std::vector<std::vector<std::byte>> results;
  oracle.baseline(lab, lab.timed, data.inputs, results);  // allocates `results`, warms the caches
  double best = 0;
  const Clock::time_point begin = Clock::now();
  for (int run = 0; run < 3 && seconds_since(begin) < 1; ++run) {
    const Clock::time_point start = Clock::now();
    oracle.baseline(lab, lab.timed, data.inputs, results);
    const double ms = seconds_since(start) * 1e3;
    best = run == 0 ? ms : std::min(best, ms);
  }
  return best;
}

/// The card beside the simulator: a version whose answers are
/// all right there is run on every case again, and timed.
Result<void> run_on_card(RunContext& card, const BuildOutcome& built, const BuildOutcome& reference,
                         std::size_t version, VersionEvidence& evidence, const Progress& progress) {
  const Version& wanted = card.lab.versions[version];
  progress(fmt::format("running and timing `{}` on the {}", wanted.name, card.device->facts().name));
  auto run = VersionRunner(card, built.executable, version).run_all();
  if (!run) return run.problem();
  overrule(evidence, std::move(*run));
  if (evidence.state != Verdict::Accepted || !all_right(evidence)) return {};
  auto measured =
      measure_version(card, built.executable, reference.executable, version, evidence.cases.back());
  if (!measured) return measured.problem();
  evidence.measured = std::move(*measured);
  return {};
}

struct RunSummary {
  double cpu_ms = 0;  ///< of one CPU thread; 0 if nothing was timed
  std::string card;   ///< empty: times are estimated
};

/// As the card counts them: a case without elements shows only that nothing crashes (score/score.cpp).
std::string words_of_cases(const Lab& lab) {
  const auto empty = static_cast<std::size_t>(std::ranges::count_if(
      lab.cases, [&](const TestCase& test) { return !has_output_elements(lab, test); }));
  const std::string counted = plural(lab.cases.size() + 1 - empty, "case");
  return empty == 0 ? counted : fmt::format("{} and {} without elements", counted, empty);
}

/// Runs what can be run, and the reference beside every version whose answers are all right.
Result<RunSummary> run_versions(const GradeJob& job, const Tools& tools, const BuildOutcome& built,
                                std::uint64_t seed, std::vector<VersionEvidence>& evidence,
                                const Progress& progress) {
  const Lab& lab = job.lab;
  auto oracle = Oracle::load(lab, tools.oracles);
  if (!oracle) return oracle.problem();
  auto context = open_simulator(job, lab, *oracle, seed, false);
  if (!context) return context.problem();
  RunContext card{lab, *oracle, seed, {}, nullptr, job.request.cancel};
  card.device_options.kind = DeviceKind::Gpu;
  auto gpu = start_gpu(job.request.device, card.device_options, progress);
  if (!gpu) return gpu.problem();
  card.device = std::move(*gpu);

  std::optional<BuildOutcome> reference;
  RunSummary summary;
  if (card.device) summary.card = card.device->facts().name;
  for (std::size_t v = 0; v < lab.versions.size(); ++v) {
    if (evidence[v].state != Verdict::Accepted) continue;
    progress(fmt::format("running `{}` on {}", lab.versions[v].name, words_of_cases(lab)));
    auto run = VersionRunner(*context, built.executable, v).run_all();
    if (!run) return run.problem();
    evidence[v] = std::move(*run);
    if (lab.versions[v].speed_points <= 0 || evidence[v].state != Verdict::Accepted ||
        !all_right(evidence[v]))
      continue;
    if (!reference) {
      progress("compiling and running the reference solution");
      auto solution = build_reference(lab, tools);
      if (!solution) return solution.problem();
      reference = std::move(*solution);
      summary.cpu_ms = time_cpu(lab, *oracle, seed);
    }
    auto launches = time_reference(*context, *reference, v);
    if (!launches) return launches.problem();
    evidence[v].reference_launches = std::move(*launches);
    if (!card.device) continue;
    if (auto timed = run_on_card(card, built, *reference, v, evidence[v], progress); !timed)
      return timed.problem();
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

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
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
  const std::time_t started_at = std::time(nullptr);
  auto seed = seed_of(job);
  if (!seed) return seed.problem();
  progress(fmt::format("{}: {}, seed {}", job.lab.slug, job.submission.file.string(), *seed));

  // build
  auto tools = find_tools(job.request.course);
  if (!tools) return tools.problem();
  progress("compiling the submission");
  auto built = build_submission(job.lab, job.submission, tools->toolchain, tools->build);
  if (!built) return built.problem();
  if (job.request.cancel != nullptr && job.request.cancel->load()) return error("interrupted");
  std::vector<VersionEvidence> evidence = judge_build(job.lab, *built, job.request.versions);

  // run
  RunSummary summary;
  SandboxKind sandbox = built->sandbox;
  if (std::any_of(evidence.begin(), evidence.end(),
                  [](const auto& e) { return e.state == Verdict::Accepted; })) {
    auto run = run_versions(job, *tools, *built, *seed, evidence, progress);
    if (!run) return run.problem();
    summary = std::move(*run);
    sandbox = usable_sandbox();
  }

  // score
  GradeResult result = score(job.lab, evidence);
  result.device = summary.card.empty() ? "simulator" : "gpu";
  result.card = summary.card;
  if (summary.card.empty()) result.profile = {job.request.profile.name, job.request.profile.title};
  result.seed = *seed;
  result.file = job.submission.source.name;
  result.source = lines_of(job.submission.source.content);
  result.compiler_output = compiler_text(*built);
  result.nondeterministic.grader_version = grader_version();
  result.nondeterministic.started_at = utc(started_at);
  result.nondeterministic.wall_seconds = seconds_since(start);
  result.nondeterministic.cpu_ms = summary.cpu_ms;
  result.nondeterministic.sandbox = spelling(sandbox);
  result.nondeterministic.sandbox_warning = sandbox_warning(sandbox);
  result.nondeterministic.submission = job.submission.file.string();
  return result;
}

Result<std::string> compiler_warnings(const GradeJob& job) {
  auto tools = find_tools(job.request.course);
  if (!tools) return tools.problem();
  const auto built = build_submission(job.lab, job.submission, tools->toolchain, tools->build);
  if (!built) return built.problem();
  std::string text;
  for (const CompilerMessage& message : built->warnings)
    text += (text.empty() ? "" : "\n") + message.display();
  return text;
}

Result<std::vector<std::string>> rehearse_oracle(const Course& course, const Lab& lab) {
  auto seed = fresh_seed();
  if (!seed) return seed.problem();
  auto tools = find_tools(course);
  if (!tools) return tools.problem();
  auto oracle = Oracle::load(lab, tools->oracles);
  if (!oracle) return oracle.problem();
  return rehearse(lab, *oracle, *seed);
}

Result<Trace> trace(const GradeJob& job, const TestCase& test, const Progress& progress) {
  Lab lab = job.lab;
  lab.timed = test;  // which is the one case that a runner runs by itself
  auto seed = seed_of(job);
  if (!seed) return seed.problem();
  auto tools = find_tools(job.request.course);
  if (!tools) return tools.problem();
  progress("compiling the submission");
  auto built = build_submission(lab, job.submission, tools->toolchain, tools->build);
  if (!built) return built.problem();
  Trace trace{*seed, compiler_text(*built), judge_build(lab, *built, job.request.versions)};
  std::erase_if(trace.versions, [](const VersionEvidence& v) { return v.state == Verdict::NotGraded; });
  if (built->status != BuildStatus::Ok) return trace;
  auto oracle = Oracle::load(lab, tools->oracles);
  if (!oracle) return oracle.problem();
  auto context = open_simulator(job, lab, *oracle, *seed, true);
  if (!context) return context.problem();
  for (VersionEvidence& version : trace.versions) {
    if (version.state != Verdict::Accepted) continue;
    progress(fmt::format("running `{}` on {}", version.name, test.name()));
    const auto index = static_cast<std::size_t>(lab.find_version(version.name) - lab.versions.data());
    auto run = VersionRunner(*context, built->executable, index).run_timed();
    if (!run) return run.problem();
    version.cases = {std::move(*run)};
  }
  return trace;
}

Result<std::vector<ToolRun>> run_under(const GradeJob& job,
                                       const std::function<std::vector<std::string>(const Version&)>& tool,
                                       const Progress& progress) {
  constexpr double kSlower = 30;  // than without a tool
  Lab lab = job.lab;
  lab.limits.call_seconds *= kSlower;
  auto seed = seed_of(job);
  if (!seed) return seed.problem();
  auto tools = find_tools(job.request.course);
  if (!tools) return tools.problem();
  progress("compiling the submission");
  auto built = build_submission(lab, job.submission, tools->toolchain, tools->build);
  if (!built) return built.problem();
  if (built->status != BuildStatus::Ok)
    return error("the submission does not compile", compiler_text(*built));
  auto oracle = Oracle::load(lab, tools->oracles);
  if (!oracle) return oracle.problem();
  const std::vector<VersionEvidence> versions = judge_build(lab, *built, job.request.versions);
  std::vector<ToolRun> runs;
  for (std::size_t v = 0; v < versions.size(); ++v) {
    if (versions[v].state != Verdict::Accepted) continue;
    RunContext card{lab, *oracle, *seed, {}, nullptr, job.request.cancel};
    card.device_options.kind = DeviceKind::Gpu;
    card.device_options.tool = tool(lab.versions[v]);
    auto gpu = start_gpu(DeviceChoice::Gpu, card.device_options, progress);
    if (!gpu) return gpu.problem();
    card.device = std::move(*gpu);
    progress(fmt::format("running `{}` on {}", lab.versions[v].name, lab.timed.name()));
    auto run = VersionRunner(card, built->executable, v).run_timed();
    if (!run) return run.problem();
    const auto status = card.device->finish();
    if (!status) return status.problem();
    runs.push_back({lab.versions[v].name, *status});
  }
  return runs;
}

}  // namespace cudalabs
