#include "grader/ladder/run_ladder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <future>
#include <sstream>
#include <thread>

#include "grader/diagnostics/messages/course.h"
#include "grader/program/named_arrays.h"
#include "grader/program/program.h"
#include "grader/sim/checkers/base/checker.h"
#include "grader/toolchain/program/program.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr int kCpuRepetitions = 3;
constexpr int kCardRepetitions = 20;

/// The result that a program prints: "NAME TYPE SIZE: T ms, ok".
struct Said {
  double nanoseconds = 0;
  bool right = false;
};

std::optional<Said> read_report(const std::string& printed) {
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, type, size, unit, verdict;
    double ms = 0;
    if (words >> name >> type >> size >> ms >> unit >> verdict && unit == "ms," &&
        (verdict == "ok" || verdict == "WRONG"))
      return Said{ms * 1e6, verdict == "ok"};
  }
  return std::nullopt;
}

/// Why a program's run has no valid answer; empty if it has one.
Messages problem_of(const ProcessEnd& end, const std::optional<Said>& said) {
  if (end.signal != 0) return msg::rung_killed(signal_name(end.signal));
  if (said && !said->right) return msg::rung_wrong();
  if (end.exit_code != 0 || !said) {
    return msg::rung_failed(end.exit_code, verbatim(end.err.substr(0, end.err.find('\n'))));
  }
  return {};
}

Message faulted(const sim::Fault& fault) {
  const auto triple = [](const std::array<std::uint32_t, 3>& t) {
    return fmt::format("({}, {}, {})", t[0], t[1], t[2]);
  };
  return msg::rung_faulted(place_of({fault.file, static_cast<int>(fault.line), 0}), fault.message,
                           fault.kernel, fault.placed ? 1 : 0, triple(fault.block), triple(fault.thread));
}

Messages problem_of(const ProgramRun& run, const std::optional<Said>& said) {
  const CallOutcome& device = run.device;
  if (device.fault.kind != sim::FaultKind::None) return faulted(device.fault);
  if (lost_or_cut(device.end)) return msg::rung_lost_device(device.detail);
  if (!device.unsupported_calls.empty())
    return msg::rung_call_not_supported(device.unsupported_calls.front());
  return problem_of(run.end, said);
}

/// A program that uses NVIDIA's runtime needs the unchanged environment.
std::vector<std::string> whole_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  return variables;
}

class LadderRunner {
 public:
  LadderRunner(const Ladder& ladder, const LadderRequest& request, BuildTools tools)
      : ladder_(ladder), request_(request), tools_(std::move(tools)) {}

  Result<LadderRun> run() {
    plan();
    if (auto built = build(); !built) return built.problem();
    for (Job& job : jobs_) {
      if (cancelled()) return error(msg::ladder_interrupted());
      if (request_.progress) request_.progress(job.row.name);
      if (auto ran = run_job(job); !ran) return ran.problem();
      run_.rows.push_back(std::move(job.row));
    }
    return std::move(run_);
  }

 private:
  struct Job {
    const LadderRung* rung = nullptr;
    LadderRow row;
    BuildOutcome program, card_program;
  };

  [[nodiscard]] bool cancelled() const { return request_.cancelled != nullptr && *request_.cancelled; }

  void add(const LadderRung& rung, LadderRow::Kind kind, const fs::path& file) {
    Job& job = jobs_.emplace_back();
    job.rung = &rung;
    job.row.kind = kind;
    job.row.name = rung.name;
    job.row.file = file;
  }

  void plan() {
    if (request_.cpu && ladder_.cpu) add(*ladder_.cpu, LadderRow::Kind::Cpu, ladder_.cpu->file);
    for (const LadderRung& rung : ladder_.rungs) {
      if (std::ranges::find(rung.types, request_.type) == rung.types.end()) {
        run_.left_out.push_back(rung.name);
        continue;
      }
      add(rung, LadderRow::Kind::Rung, rung.file);
      if (request_.check && !rung.twin.empty()) add(rung, LadderRow::Kind::Corrected, rung.twin);
    }
  }

  /// Builds all programs, one per core at a time: the first time, this takes nearly all of the time.
  Result<void> build() {
    std::atomic<std::size_t> next = 0;
    std::vector<std::optional<Diagnostic>> problems(jobs_.size());
    const auto work = [&] {
      for (std::size_t i = next++; i < jobs_.size() && !cancelled(); i = next++) {
        Job& job = jobs_[i];
        std::vector<fs::path> sources = ladder_.headers;
        sources.push_back(job.rung->file);
        sources.push_back(job.row.file);
        auto built = compile_course_program(job.row.file, sources, tools_.toolchain, tools_.options);
        auto for_card = request_.card_size && job.row.kind != LadderRow::Kind::Cpu
                            ? compile_for_card(job.row.file, tools_.toolchain)
                            : Result<BuildOutcome>(BuildOutcome());
        if (built && for_card) {
          job.program = std::move(*built);
          job.card_program = std::move(*for_card);
        } else {
          problems[i] = built ? for_card.problem() : built.problem();
        }
      }
    };
    std::vector<std::future<void>> workers;
    for (unsigned n = std::max(1u, std::thread::hardware_concurrency()); n > 0; --n)
      workers.push_back(std::async(std::launch::async, work));
    for (auto& worker : workers) worker.get();
    for (const auto& problem : problems) {
      if (problem) return *problem;
    }
    return {};
  }

  [[nodiscard]] std::vector<std::string> arguments(std::int64_t size, int repetitions) const {
    return {std::to_string(size), std::string(spelling(request_.type)), std::to_string(repetitions)};
  }

  Result<ProgramRun> start(const Job& job, std::int64_t size, int repetitions, const DeviceOptions& options) {
    auto device = DeviceProcess::start(options);
    if (!device) return device.problem();
    ProgramOptions how;
    how.output = ProgramOutput::Captured;
    auto ran = run_program(**device, job.program.executable, arguments(size, repetitions), how);
    if (ran) name_arrays(ran->device, {job.row.file});
    return ran;
  }

  Result<void> run_job(Job& job) {
    LadderRow& row = job.row;
    if (job.program.status != BuildStatus::Ok) {
      row.problem =
          job.program.errors.empty() ? job.program.sentence : Messages(job.program.errors.front().message());
      return {};
    }
    // One repetition takes seconds at a card's size.
    if (row.kind == LadderRow::Kind::Cpu)
      return time_it(job, request_.card_size.value_or(request_.size),
                     request_.card_size ? 1 : kCpuRepetitions, {}, row.cpu_ns);
    DeviceOptions simulator;
    simulator.by_line = false;
    simulator.profile = request_.profile.numbers;
    if (auto ran = time_it(job, request_.size, 1, simulator, row.estimated_ns); !ran) return ran;
    if (!row.problem.empty()) return {};
    if (request_.card_size) {
      if (auto ran = measure(job); !ran) return ran;
    }
    return request_.check ? check(job) : Result<void>();
  }

  Result<void> time_it(Job& job, std::int64_t size, int repetitions, const DeviceOptions& options,
                       std::optional<double>& nanoseconds) {
    const auto ran = start(job, size, repetitions, options);
    if (!ran) return ran.problem();
    const auto said = read_report(ran->end.out);
    job.row.problem = problem_of(*ran, said);
    if (!job.row.problem.empty()) return {};
    nanoseconds = said->nanoseconds;
    for (const LaunchRecord& launch : ran->device.launches) job.row.counters += launch.counters;
    return {};
  }

  /// On the card the program runs without a device process. A device process between it and the driver would
  /// add time between its two events, for many rungs more than the rung takes.
  Result<void> measure(Job& job) {
    if (job.card_program.status != BuildStatus::Ok) {
      job.row.problem = msg::rung_for_card(job.card_program.sentence);
      return {};
    }
    Command command;
    command.argv = arguments(*request_.card_size, kCardRepetitions);
    command.argv.insert(command.argv.begin(), job.card_program.executable.string());
    command.env = whole_environment();
    const auto end = cudalabs::run(std::move(command));
    if (!end) return end.problem();
    const auto said = read_report(end->out);
    if (Messages problem = problem_of(*end, said); problem.empty())
      job.row.measured_ns = said->nanoseconds;
    else
      job.row.problem = msg::rung_on_card(std::move(problem));
    return {};
  }

  Result<void> check(Job& job) {
    DeviceOptions watched;
    watched.checkers = sim::kAllCheckers;
    auto ran = start(job, job.rung->check_size, 1, watched);
    if (!ran) return ran.problem();
    job.row.findings = std::move(ran->device.findings);
    job.row.unchecked = problem_of(*ran, read_report(ran->end.out));
    return {};
  }

  const Ladder& ladder_;
  const LadderRequest& request_;
  BuildTools tools_;
  std::vector<Job> jobs_;
  LadderRun run_;
};

}  // namespace

bool LadderRun::all_right() const {
  return std::ranges::all_of(rows, [](const LadderRow& row) { return row.problem.empty(); });
}

Result<LadderRun> run_ladder(const Ladder& ladder, const LadderRequest& request) {
  auto tools = find_build_tools(request.compiler);
  if (!tools) return tools.problem();
  return LadderRunner(ladder, request, std::move(*tools)).run();
}

}  // namespace cudalabs
