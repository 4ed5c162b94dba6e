#include "grader/grading/grading_context.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "grader/base/log/log.h"
#include "grader/base/log/stats.h"
#include "grader/course/cache.h"
#include "grader/course/course.h"
#include "grader/device/client/host_places.h"
#include "grader/diagnostics/messages/device.h"
#include "grader/diagnostics/messages/run.h"
#include "grader/diagnostics/messages/score.h"
#include "grader/diagnostics/messages/toolchain.h"
#include "grader/grading/cases/inputs.h"
#include "grader/grading/explain/build_verdict.h"
#include "grader/grading/grade_version.h"
#include "grader/sim/checkers/base/checker.h"

namespace cudalabs {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kReferenceSeed = 1;
constexpr double kTimingCpu = 0.05;  // seconds; after a run longer than this the CPU program is not repeated

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The best time of a few runs of the course's single-threaded CPU program on the timed case, in
/// milliseconds.
double time_cpu(const Lab& lab, const Oracle& oracle) {
  const CaseKey key{kReferenceSeed, lab.case_number(lab.cases.size()), 0, 0};
  const std::vector<std::vector<std::byte>> inputs = make_inputs(lab, oracle, lab.timed, key);
  std::vector<std::vector<std::byte>> results;
  oracle.baseline(lab, lab.timed, inputs, results);  // allocates `results`, warms the caches
  double best = 0;
  const Clock::time_point begin = Clock::now();
  for (int run = 0; run < 3 && seconds_since(begin) < kTimingCpu; ++run) {
    const Clock::time_point start = Clock::now();
    oracle.baseline(lab, lab.timed, inputs, results);
    const double ms = seconds_since(start) * 1e3;
    best = run == 0 ? ms : std::min(best, ms);
  }
  return best;
}

}  // namespace

Result<std::unique_ptr<GradingContext>> GradingContext::open(const Course& course, std::string_view lab,
                                                             std::string_view variant, BenchOptions options) {
  auto loaded = load_lab(course, lab, variant);
  if (!loaded) return loaded.problem();
  if (course.for_students)
    if (auto known = check_figures(*loaded, options.profile); !known) return known.problem();
  return std::unique_ptr<GradingContext>(new GradingContext(course, std::move(*loaded), std::move(options)));
}

Result<const GradingContext::Tools*> GradingContext::tools() {
  if (!tools_) {
    auto build = find_build_tools(options_.compiler);
    if (!build) return build.problem();
    auto cache = cache_folder();
    if (!cache) return cache.problem();
    tools_ = Tools{std::move(*build), *cache / "oracles"};
    for (const std::filesystem::path& root : roots_of(course_)) tools_->build.options.hidden.push_back(root);
  }
  return &*tools_;
}

namespace {

/// For a function that is missing: the source beside the submission that has it and is not compiled.
void name_files_beside(const Submission& submission, BuildOutcome& built) {
  for (CompilerMessage& error : built.errors) {
    if (!error.advice.empty() || error.text.empty() || !error.text[0].is(msg::used_but_not_defined)) continue;
    std::string name = std::get<std::string>(error.text[0].arguments()[0]);
    name.erase(std::min(name.find('('), name.size()));
    name.erase(0, name.find_last_of(": ") + 1);  // npos + 1 is 0
    const std::string beside = name.empty() ? "" : source_beside_with(submission, name);
    if (!beside.empty()) error.advice = msg::file_beside_not_compiled(beside, submission.source.name);
  }
}

}  // namespace

Result<BuildOutcome> GradingContext::build(const Submission& submission) {
  const auto tools = this->tools();
  if (!tools) return tools.problem();
  auto built = build_submission(lab_, submission, (*tools)->build.toolchain, (*tools)->build.options);
  if (built) name_files_beside(submission, *built);
  return built;
}

Result<CompilerName> GradingContext::compiler() {
  const auto tools = this->tools();
  if (!tools) return tools.problem();
  const CudaCompiler& cuda = *(*tools)->build.toolchain.cuda;
  return CompilerName{std::string(cuda.name()), cuda.version()};
}

Result<const Oracle*> GradingContext::oracle() {
  if (!oracle_) {
    const auto tools = this->tools();
    if (!tools) return tools.problem();
    const logging::Timed timed(logging::Metric::Oracle);
    auto loaded = Oracle::load(lab_, (*tools)->oracles);
    if (!loaded) return loaded.problem();
    oracle_ = std::move(*loaded);
    logging::info(logging::Stage::Compare,
                  [&] { return "the oracle of " + lab_.slug + ": " + oracle_->key(); });
  }
  return &*oracle_;
}

Result<CaseContext> GradingContext::cases(const Lab& lab, std::uint64_t seed) {
  const auto oracle = this->oracle();
  if (!oracle) return oracle.problem();
  return CaseContext{.lab = lab, .oracle = **oracle, .seed = seed, .cases = cases_};
}

void GradingContext::lend_tools(RunContext& context) {
  context.control = [this] {
    const std::lock_guard lock(control_mutex_);  // simulators may run side by side
    return control_program();
  };
  context.place_calls = [this, known = KnownHostPlaces()](CallOutcome& outcome,
                                                          const std::filesystem::path& executable) mutable {
    if (const auto tools = this->tools())
      place_host_calls(outcome, executable, (*tools)->build.toolchain.not_the_users(), known);
  };
}

Result<RunContext> GradingContext::simulator(const Lab& lab, std::uint64_t seed, Purpose purpose) {
  const auto cases = this->cases(lab, seed);
  if (!cases) return cases.problem();
  RunContext context{*cases};
  context.cancel = options_.cancel;
  DeviceOptions& device = context.device_options;
  device.kind = simulator_of(options_.device);
  device.access_map = purpose == Purpose::AccessMap;
  if (purpose == Purpose::Checkers) device.checkers = sim::kGradedCheckers;
  device.profile = options_.profile.numbers;
  device.engine = options_.engine;
  device.max_warp_instructions = lab.limits.warp_instructions;
  // The memory of a simulated GPU is memory of this machine. A submission gets as much of it as for its host
  // code.
  device.memory_bytes = lab.limits.memory_bytes;
  device.devices.resize(static_cast<std::size_t>(lab.devices));
  std::iota(device.devices.begin(), device.devices.end(), 0U);
  lend_tools(context);
  if (auto started = context.replace_device(); !started) return started.problem();
  return context;
}

Result<RunContext> GradingContext::card(const Lab& lab, std::uint64_t seed, DeviceChoice choice,
                                        std::vector<std::string> tool, const Progress& progress) {
  const auto cases = this->cases(lab, seed);
  if (!cases) return cases.problem();
  RunContext context{*cases};
  context.cancel = options_.cancel;
  context.tracks_provenance = false;
  context.device_options.simulated_code = true;
  context.device_options.tool = std::move(tool);
  if (lab.devices > 1 || is_students_edition()) {
    const Message why =
        lab.devices > 1 ? msg::lab_devices_are_simulated(lab.devices) : msg::edition_times_are_estimates();
    if (choice == DeviceChoice::Gpu) return error(why, msg::simulator_hint());
    if (may_measure(choice)) progress(msg::on_simulator(why));
    return context;
  }
  auto card = start_card(choice, context.device_options, progress);
  if (!card) return card.problem();
  context.device = std::move(*card);
  if (context.device) context.device_options.kind = context.device->kind();
  lend_tools(context);
  return context;
}

Result<std::filesystem::path> GradingContext::control_program() {
  const auto built = build({{}, {lab_.file, std::string(kControlSource)}, {}});
  if (!built) return built.problem();
  if (built->status != BuildStatus::Ok) return error(msg::control_does_not_compile(built->sentence));
  return built->executable;
}

Result<void> GradingContext::build_reference() {
  // The build cache evicts the least recently used entries, so grading a long class may evict the reference.
  std::error_code gone;
  if (reference_ && std::filesystem::exists(reference_->executable, gone)) return {};
  auto solution = course_file(lab_, lab_.reference);
  if (!solution) return solution.problem();
  auto built = build(*solution);
  if (!built) return built.problem();
  if (built->status != BuildStatus::Ok) {
    return error(msg::reference_does_not_compile(built->sentence, compiler_output(*built).english_lines()));
  }
  reference_ = std::move(*built);
  return {};
}

Result<ReferenceFigures> GradingContext::time_reference(std::size_t version) {
  const logging::Timed timed(logging::Metric::Reference);
  const auto oracle = this->oracle();
  if (!oracle) return oracle.problem();
  if (!reference_simulator_) {
    auto simulator = this->simulator(lab_, kReferenceSeed, Purpose::Checkers);
    if (!simulator) return simulator.problem();
    reference_simulator_.emplace(std::move(*simulator));
  }
  auto run = run_timed(*reference_simulator_, reference_->executable, version);
  if (!run) return run.problem();
  if (run->verdict != Verdict::Accepted) {
    return error(msg::reference_fails(run->message), msg::course_at_fault());
  }
  if (cpu_ms_ == 0) cpu_ms_ = time_cpu(lab_, **oracle);
  return ReferenceFigures{std::move(run->launches), run->copies_ns, cpu_ms_};
}

Result<GradingContext::Reference> GradingContext::reference(std::size_t version, const Progress& progress) {
  if (is_students_edition()) return given_reference(version);
  if (auto built = build_reference(); !built) return built.problem();
  figures_.resize(lab_.versions.size());
  auto& figures = figures_[version];
  if (!figures) {
    // The name of the reference's cache entry is a hash of everything that its build depends on.
    const auto kept = KeptFigures::open(reference_->executable.parent_path().filename().string(), lab_,
                                        options_.profile.numbers);
    if (!kept) return kept.problem();
    figures = kept->find(version);
    if (!figures) {
      progress(msg::running_reference(lab_.versions[version].name));
      auto timed = time_reference(version);
      if (!timed) return timed.problem();
      figures = std::move(*timed);
      kept->keep(version, *figures);
    }
  }
  return Reference{reference_->executable, *figures};
}

/// The edition has the reference's figures; the time of the CPU program is this machine's.
Result<GradingContext::Reference> GradingContext::given_reference(std::size_t version) {
  const auto compiler = this->compiler();
  if (!compiler) return compiler.problem();
  if (!given_) {
    auto given = given_figures(lab_, options_.profile, compiler->name);
    if (!given) return given.problem();
    given_ = std::move(*given);
  }
  const auto& figures = (*given_)[version];
  if (!figures) return error(msg::figures_of_another_build(lab_.slug), msg::take_grader_of_edition());
  if (cpu_ms_ == 0) {
    const auto oracle = this->oracle();
    if (!oracle) return oracle.problem();
    const auto kept = KeptFigures::open((*oracle)->key(), lab_, options_.profile.numbers);
    if (!kept) return kept.problem();
    const auto before = kept->find(version);
    cpu_ms_ = before ? before->cpu_ms : time_cpu(lab_, **oracle);
    if (!before) kept->keep(version, {{}, 0, cpu_ms_});
  }
  Reference reference{{}, *figures};
  reference.figures.cpu_ms = cpu_ms_;
  return reference;
}

}  // namespace cudalabs
