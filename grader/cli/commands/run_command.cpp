#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "grader/base/human.h"
#include "grader/base/log/log.h"
#include "grader/base/parse_number.h"
#include "grader/base/paths.h"
#include "grader/base/process/search_path.h"
#include "grader/cli/busy_line.h"
#include "grader/cli/command.h"
#include "grader/cli/commands/explain_command.h"
#include "grader/cli/files/launch_files.h"
#include "grader/cli/files/places.h"
#include "grader/cli/files/target_file.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/print.h"
#include "grader/cli/progress_line.h"
#include "grader/course/cache.h"
#include "grader/course/device_profile.h"
#include "grader/device/main/device_main.h"
#include "grader/device/protocol/fatbin.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/diagnostics/messages/sim.h"
#include "grader/grading/grade.h"
#include "grader/present/layout.h"
#include "grader/present/profile_table.h"
#include "grader/program/named_arrays.h"
#include "grader/program/problems.h"
#include "grader/program/program.h"
#include "grader/program/suppressions.h"
#include "grader/program/unchecked_calls.h"
#include "grader/program/visible_devices.h"
#include "grader/sim/checkers/checkers.h"
#include "grader/toolchain/objects/elf.h"
#include "grader/toolchain/options/nvcc_options.h"
#include "grader/toolchain/program/program.h"

namespace cudalabs::cli {
namespace {

constexpr int kAnyArchitecture = 1000;
/// The GPU whose times are estimated for a program that needs the newest simulated architecture.
constexpr std::string_view kNewestProfile = "h100";

/// `old`: the estimated card is older than the simulated one.
Result<BuildOutcome> build(const NvccCommand& command, CompilerChoice compiler, DeviceChoice device,
                           bool old) {
  const auto tools = find_build_tools(compiler);
  if (!tools) return tools.problem();
  const auto compile = [&](const NvccCommand& what) {
    return compile_program(what, tools->toolchain, tools->options,
                           device == DeviceChoice::Gpu ? kAnyArchitecture : kNewestSimulated);
  };
  if (old && tools->toolchain.cuda->name() == kNvcc) {
    NvccCommand both = command;
    both.flags.push_back(fmt::format("-gencode=arch=compute_{0},code=sm_{0}", kOldestMachineCode));
    // The program may use what older cards lack.
    if (auto built = compile(both); built && built->status == BuildStatus::Ok) return built;
  }
  return compile(command);
}

Result<BuildOutcome> already(const std::filesystem::path& program) {
  BuildOutcome outcome;
  outcome.executable = program;
  return outcome;
}

/// Parses the nvcc options of a command line; `ours` are the grader's.
Result<NvccCommand> program_of(const Arguments& words, const std::vector<std::string>& ours) {
  auto command = read_nvcc_command(words, ours);
  if (!command) return command;
  const bool whole = command->phase == NvccPhase::Link || command->phase_word == "-dc";
  if (!whole || command->shared) {
    return error(msg::run_needs_no_option(whole ? std::string("-shared") : command->phase_word),
                 msg::build_with_grader_nvcc());
  }
  command->dependencies.clear();  // they need an object file
  if (command->sources.empty())
    return error(msg::run_needs_a_file(), msg::for_example("grader run saxpy.cu"));
  std::error_code ignored;
  for (const NvccSource& source : command->sources) {
    if (!std::filesystem::exists(source.file, ignored)) {
      return error(msg::run_no_such_file(source.file), msg::check_the_name());
    }
  }
  return command;
}

/// The single named file, if it is a built program and not a source. Error: the program was not linked with
/// the grader's runtime, or other options do not apply to it.
Result<std::optional<std::filesystem::path>> built_program(const Arguments& words) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 30;
  constexpr std::string_view kElf =
      "\x7f"
      "ELF";
  using Found = std::optional<std::filesystem::path>;
  std::error_code ignored;
  bool is_value = false;  // of the previous option
  for (const std::string& word : words) {
    const NvccOption* const option = nvcc_option(word);
    if (std::exchange(is_value, option != nullptr && option->takes_value)) continue;
    if (word.starts_with('-') || word.starts_with('@') || word.ends_with(".o") || word.ends_with(".a") ||
        is_shared_library(word) || !std::filesystem::is_regular_file(word, ignored) ||
        ::access(word.c_str(), X_OK) != 0)
      continue;
    const auto bytes = read_file(word, kMaxBytes);
    if (!bytes || !bytes->starts_with(kElf)) continue;
    if (section_of(*bytes, kOwnProgram).empty()) {
      return error(msg::not_built_here(word), msg::build_or_name_sources());
    }
    if (words.size() > 1) {
      return error(msg::built_already(word, words.front() == word ? words[1] : words.front()),
                   msg::program_options_after_dashes());
    }
    return Found(std::filesystem::absolute(word, ignored));
  }
  return Found();
}

/// The program's device. A card provides all of its memory.
Result<std::unique_ptr<DeviceProcess>> start_device(DeviceChoice choice, const DeviceOptions& options) {
  DeviceOptions card = options;
  card.memory_bytes = UINT64_MAX;
  auto device =
      start_card(choice, card, [](const Message& line) { print_err("grader: {}\n", rendered(line)); });
  if (!device || *device) return device;
  DeviceOptions simulated = options;
  simulated.kind = simulator_of(choice);
  return DeviceProcess::start(simulated);
}

Result<std::vector<Suppression>> suppressions_of(const std::string& file) {
  if (file.empty()) return std::vector<Suppression>();
  constexpr std::size_t kMax = std::size_t{1} << 20;
  const auto text = read_file(file, kMax);
  if (!text) return text.problem();
  return read_suppressions(*text, file);
}

/// Returns whether the files are compiled so that each host thread has its own default stream.
bool has_per_thread_stream(const NvccCommand& command) {
  const auto is_value = [](const std::string& word) { return word.ends_with("per-thread"); };
  const auto is_macro = [](const std::string& word) {
    return word.find("CUDA_API_PER_THREAD_DEFAULT_STREAM") != std::string::npos;
  };
  return std::ranges::any_of(command.flags, is_macro) || std::ranges::any_of(command.flags, is_value);
}

/// The files of --json, --sarif and --write-suppressions.
struct ProblemFiles {
  std::string json, sarif, suppressions;

  [[nodiscard]] Result<void> write(const std::vector<Problem>& problems) const {
    if (!json.empty()) {
      if (auto written = write_to(json, steady_json(problems_json(problems))); !written) return written;
    }
    if (!suppressions.empty()) {
      if (auto written = write_to(suppressions, suppressions_for(problems)); !written) return written;
    }
    return sarif.empty()
               ? Result<void>()
               : write_to(sarif, steady_json(problems_sarif(problems, std::string(grader_version()))));
  }

 private:
  static Result<void> write_to(const std::string& file, const std::string& document) {
    if (file != "-") return write_file_atomically(file, document);
    write_out(document);
    return {};
  }
};

std::vector<Problem> problems_of_build(const BuildOutcome& build) {
  std::vector<Problem> problems;
  for (const auto* messages : {&build.errors, &build.warnings}) {
    for (const CompilerMessage& message : *messages) {
      Problem problem;
      problem.rule = "compile";
      problem.error = message.kind == MessageKind::Error;
      problem.message = message.text;
      problem.advice = message.advice;
      problem.here = {{}, message.file, message.line, message.column};
      problems.push_back(std::move(problem));
    }
  }
  return problems;
}

/// Reports the interrupted launch after Ctrl-C; the process is about to die of the signal.
int report_interrupted(ProgressLine& progress) {
  progress.take_away();
  if (const auto& launch = progress.running()) {
    print_err("grader: interrupted in launch {} of the program, kernel {}: {} of {} blocks were done\n",
              launch->number, launch->kernel, human_count(launch->done), human_count(launch->blocks));
  }
  return 128 + SIGINT;
}

/// Prints what the program does not notice: it would otherwise fail silently. memcheck names all failed
/// calls, and a refused launch is a finding of every checker.
void report_unnoticed(const CallOutcome& outcome, sim::CheckerSet checkers, bool quiet) {
  const bool calls = !quiet && (checkers & sim::checker_bit(sim::Checker::Memcheck)) == 0;
  constexpr std::size_t kMaxSource = std::size_t{16} << 20;
  // Of an ApiError or a LaunchNote.
  const auto tell = [](const auto& placed, const Message& message) {
    const std::string at = placed.line == 0 ? "" : fmt::format("{}:{}: ", placed.file, placed.line);
    print_err("grader: {}\n", printable(at) + rendered(message));
  };
  const auto hint = [](const Message& advice) { print_err("  {}\n", rendered(msg::finding_hint(advice))); };
  bool any = false;
  if (calls) {
    const auto read = [](const std::string& file) {
      auto text = read_file(file, kMaxSource);
      return text ? std::move(*text) : std::string();
    };
    for (const ApiError* const e : unchecked_calls(outcome, read)) {
      tell(*e, msg::program_call_unchecked(e->call, e->error, e->detail));
      any = true;
    }
  }
  for (const ApiError& e : outcome.api_errors)
    if ((!quiet || checkers != 0) && e.is_launch() && !follows_fault(e)) tell(e, statement_of(e));
  if (any) hint(msg::advice_check_results());
  if (quiet) return;
  for (const sim::LaunchNote& note : outcome.notes) {
    tell(note, note.message);
    hint(note.advice);
  }
  if (checkers == 0 && outcome.host_clock) print_err("grader: {}\n", rendered(msg::clock_of_simulator()));
}

/// The program's own exit status, in the shell's format; an unnoticed device fault is a failure too. `bad`:
/// the status if the program succeeds but something was found. `forced`: use it for any status of the
/// program.
int report(const ProgramRun& run, sim::CheckerSet checkers, std::size_t suppressed, int bad, bool forced,
           bool quiet) {
  const auto tell = [](const Message& message) { print_err("grader: {}\n", rendered(message)); };
  for (const std::string& call : run.device.unsupported_calls) tell(msg::program_call_unsupported(call));
  if (lost_or_cut(run.device.end))
    return report_error(error(msg::program_device_lost(run.device.detail)), kCouldNotGrade);
  const sim::Fault& fault = run.device.fault;
  std::size_t findings = run.device.findings.size();
  const auto shown = [](const Message& message) { return rendered(message); };
  for (const sim::Finding& finding : run.device.findings)
    print_err("{}\n", sim::finding_text(finding, shown));
  if ((checkers & sim::checker_bit(sim::Checker::Memcheck)) != 0 && fault.kind == sim::FaultKind::None) {
    // A program that ignores the status does not notice a second cudaFree or a copy past the end.
    for (const ApiError& e : run.device.api_errors) {
      if (e.is_launch()) ++findings;  // report_unnoticed() names it
      if (e.is_launch() || e.is_answer()) continue;
      ++findings;
      const std::string place = e.file.empty() ? std::string() : fmt::format("{}:{}: ", e.file, e.line);
      const Message line =
          msg::finding_error(statement_of(e), sim::checker_info(sim::Checker::Memcheck).name);
      print_err("{}{}\n", place, rendered(line));
    }
  }
  report_unnoticed(run.device, checkers, quiet);
  if (findings > 0) tell(msg::findings_counted(findings));
  if (suppressed > 0) tell(msg::findings_suppressed(suppressed));
  if (fault.kind != sim::FaultKind::None) {
    report_error({{fault.file, static_cast<int>(fault.line), 0}, fault.statement(), fault.advice},
                 kLostPoints);
  }
  if (run.end.signal != 0) {
    report_error(error(msg::program_ended_by_signal(signal_name(run.end.signal))), kLostPoints);
    return 128 + run.end.signal;
  }
  const bool clean = fault.kind == sim::FaultKind::None && findings == 0;
  if (!clean && bad != 0 && (forced || run.end.exit_code == 0)) return bad;
  return run.end.exit_code;
}

struct RunOptions {
  Arguments words;
  ProblemFiles files;
  std::string shuffle, error_status, suppress, clock = "real", counters, profiled, explain, checks, course,
                                               compiler, engine, profile{kDefaultProfile};
  std::string device = "auto", devices = "1";
  bool stats = false, quiet = false;
};

void add_options(CommandLine& line, RunOptions& options) {
  line.rest(options.words);
  line.option("--counters", "FILE", options.counters,
              "Write the counters of each kernel launch as JSON; - means stdout");
  std::string metrics;
  for (const ProfileMetric& metric : profile_metrics())
    metrics += fmt::format("\n{}: {}", metric.title, metric.metric);
  line.flag_or_value(
      "--profile", options.profiled,
      "Show a table of the kernels with the metrics of NVIDIA's profilers, ~ means estimated;\n"
      "--profile=FILE.csv writes it under the profilers' names:" +
          metrics);
  line.flag_or_value(
      "--explain", options.explain,
      "Show the source line by line with the cost of each line; --explain=FILE.html writes a page");
  std::string names;
  for (const sim::CheckerInfo& checker : sim::kCheckers) {
    names += fmt::format("\n{}: {}", checker.name, checker.summary);
  }
  line.option("--check", "NAMES", options.checks, "Look for bugs; NAMES are all, or some of:" + names);
  std::vector<std::string> checkers{"all"};
  for (const sim::CheckerInfo& checker : sim::kCheckers) checkers.emplace_back(checker.name);
  line.choices("--check", checkers);
  line.choices("--clock", {"real", "estimated"});
  line.option("--clock", "NAME", options.clock,
              "How the program's own clocks (clock_gettime, std::chrono, omp_get_wtime, ...) measure the "
              "card's\nwork: real, the simulator's time, or estimated, the card's [real]");
  line.option(
      "--shuffle-streams", "SEED", options.shuffle,
      "Run operations that no event, wait or synchronization orders in another order, by an integer seed:\n"
      "a correct program gives the same results");
  line.option(
      "--suppress", "FILE", options.suppress,
      "Do not report findings that a line of FILE matches: RULE [FILE[:LINE] [KERNEL]], * matches anything");
  line.option("--write-suppressions", "FILE", options.files.suppressions,
              "Write a file for --suppress that matches all findings; - means stdout");
  line.option("--json", "FILE", options.files.json,
              "Write compiler messages, findings and faults as JSON; - means stdout");
  line.option("--sarif", "FILE", options.files.sarif,
              "... as SARIF 2.1.0, which editors and CI services read");
  line.option("--error-exitcode", "N", options.error_status,
              "The exit status after a finding or a fault of a kernel; 0 keeps the program's [1 if it "
              "is 0]");
  add_device_option(line, options.device);
  line.option("--devices", "N", options.devices, "Simulate N equal devices with peer access [1]");
  add_compiler_option(line, options.compiler);
  add_engine_option(line, options.engine);
  add_profile_option(line, options.profile);
  add_course_option(line, options.course);
  line.flag("-q,--quiet", options.quiet, "Do not name calls that failed unnoticed by the program");
  add_stats_option(line, options.stats);
  line.footer(
      "Arguments after -- go to the program.\n\nExamples:\n"
      "  grader run saxpy.cu\n"
      "  grader run main.cu kernels.cu help.cpp -Iinclude -DN=64 -std=c++20\n"
      "  grader run saxpy.cu --counters counters.json -- 1000 2.5\n"
      "  grader run saxpy.cu --explain=saxpy.html\n"
      "  grader run saxpy.cu --profile --device-profile k40c\n"
      "  grader run ring.cu --devices 4             for programs of several GPUs\n"
      "  grader run ./program                       that grader nvcc built\n"
      "  grader run saxpy.cu --check all --sarif findings.sarif --error-exitcode 9\n\n"
      "Exit status: that of the program; 1 if it is 0 but a kernel faulted or --check found something,\n"
      "2 if the program does not build,\n"
      "3 if the simulator could not run it.\n");
}

/// What a command line asks for.
struct RunPlan {
  NvccCommand command;                         ///< without sources if `built`
  std::optional<std::filesystem::path> built;  ///< a program that grader nvcc built
  std::string file;                            ///< the first one, as given
  std::vector<Suppression> unwanted;
  int bad = kLostPoints;  ///< the exit status after a finding
  bool forced = false;    ///< `bad` replaces any status of the program
  bool explained = false, profiled = false;
  std::string page;          ///< of the explanation; empty: it goes to the terminal
  std::string profile_file;  ///< empty: the profile's table goes to the terminal
  DeviceOptions device;
  DeviceChoice choice{};
  bool call_frames = false, quiet = false, check_streams = false, estimated_clock = false, simulated = false;
  std::optional<std::uint64_t> shuffle_streams;
  CompilerChoice compiler{};
  NamedProfile profile;
  bool old = false;                    ///< the profile's card is older than the simulated one
  std::optional<NamedProfile> newest;  ///< for a program of the newest architecture, unless one was named
};

/// The program, and where its results go.
Result<void> plan_program(RunPlan& plan, const RunOptions& options, const CommandLine& line) {
  plan.forced = line.given("--error-exitcode");
  if (plan.forced) plan.bad = parse_number<int>(options.error_status).value_or(-1);
  if (plan.bad < 0 || plan.bad > 255) return error(msg::not_an_exit_status());
  const auto built = built_program(options.words);
  if (!built) return built.problem();
  plan.built = *built;
  if (!plan.built) {
    auto command = program_of(options.words, line.names());
    if (!command) return command.problem();
    plan.command = std::move(*command);
  }
  auto unwanted = suppressions_of(options.suppress);
  if (!unwanted) return unwanted.problem();
  plan.unwanted = std::move(*unwanted);
  plan.file = plan.built ? options.words.front() : plan.command.sources.front().file;

  plan.explained = line.given("--explain");
  if (options.explain != "true") plan.page = options.explain;  // a flag without a value
  plan.profiled = line.given("--profile");
  if (options.profiled != "true") plan.profile_file = options.profiled;
  if (auto target = check_html_target(plan.page); !target) return target.problem();
  // Checked before the program runs; otherwise the findings would be lost.
  for (const std::string& target : {options.files.json, options.files.sarif, options.files.suppressions,
                                    options.counters, plan.profile_file}) {
    std::error_code none;  // a file that is not there is no source
    const bool source = std::ranges::any_of(plan.command.sources, [&](const auto& one) {
      return std::filesystem::equivalent(one.file, target, none);
    });
    if (target.empty() || target == "-" || (takes_text(target) && !source)) continue;
    return error(msg::file_not_writable(target), msg::name_a_writable_file());
  }
  return {};
}

/// What is observed of its run.
Result<void> plan_checks(RunPlan& plan, const RunOptions& options, const CommandLine& line) {
  plan.device.by_line = plan.device.access_map = plan.explained;
  plan.quiet = options.quiet;
  if (line.given("--check")) {
    auto parsed = sim::parse_checkers(options.checks);
    if (!parsed) return parsed.problem();
    plan.device.checkers = *parsed;
  }
  const sim::HostRecord host = sim::host_record(plan.device.checkers);
  plan.call_frames = host >= sim::HostRecord::CallStacks;
  plan.check_streams = host == sim::HostRecord::Order;
  // A tail call would hide the function that calls CUDA in its last statement.
  plan.command.flags.emplace_back("-Xcompiler=-fno-optimize-sibling-calls");
  if (plan.check_streams) {
    std::ranges::copy(stream_check_options(), std::back_inserter(plan.command.link));
  }
  if (options.clock != "real" && options.clock != "estimated")
    return error(msg::no_such_clock(options.clock), msg::known_clocks());
  plan.estimated_clock = options.clock == "estimated";
  if (plan.estimated_clock && plan.built) return error(msg::clock_is_built_in(), msg::name_its_sources());
  std::ranges::copy(own_clock_options(), std::back_inserter(plan.command.link));
  if (line.given("--shuffle-streams")) {
    plan.shuffle_streams = parse_number<std::uint64_t>(options.shuffle);
    if (!plan.shuffle_streams) return error(msg::not_a_shuffle_seed());
  }
  plan.simulated = plan.explained || plan.profiled || plan.estimated_clock || !options.counters.empty() ||
                   line.given("--check") || plan.shuffle_streams.has_value();
  return {};
}

/// Where it runs.
Result<void> plan_device(RunPlan& plan, const RunOptions& options, const CommandLine& line) {
  const DeviceKindInfo* const kind = device_named(options.device);
  const bool on_card = kind != nullptr && !kind->simulates;
  if (plan.simulated && on_card) return error(msg::only_on_simulator(), msg::omit_device());
  const auto seen = visible_devices(options.devices, std::getenv("CUDA_VISIBLE_DEVICES"));
  if (!seen) return seen.problem();
  plan.device.devices = *seen;
  const bool several = options.devices != "1";
  if (several && on_card) return error(msg::devices_are_simulated(), msg::leave_one_out());
  if (several && plan.shuffle_streams) return error(msg::shuffle_of_one_device(), msg::leave_one_out());
  const bool profiled = line.given("--device-profile");
  const auto choice = chosen_device(options.device, plan.simulated || several || profiled);
  if (!choice) return choice.problem();
  plan.choice = *choice;
  const auto compiler = chosen_compiler(options.compiler);
  if (!compiler) return compiler.problem();
  plan.compiler = *compiler;
  const auto engine = chosen_engine(options.engine);
  if (!engine) return engine.problem();
  plan.device.engine = *engine;
  auto course = find_course(options.course);
  if (!course) return course.problem();
  auto profile = load_device_profile(*course, options.profile);
  if (!profile) return profile.problem();
  plan.profile = std::move(*profile);
  plan.old = 10 * plan.profile.numbers.compute_capability < kSimulatedArchitecture;
  if (profiled) return {};
  if (auto newest = load_device_profile(*course, kNewestProfile)) plan.newest = std::move(*newest);
  return {};
}

Result<RunPlan> plan_of(const RunOptions& options, const CommandLine& line) {
  RunPlan plan;
  for (const auto part : {plan_program, plan_checks, plan_device})
    if (auto planned = part(plan, options, line); !planned) return planned.problem();
  return plan;
}

/// Runs the program, and leaves out the findings that nobody wants.
Result<ProgramRun> observed_run(RunPlan& plan, const BuildOutcome& program, const Arguments& arguments,
                                const Interrupt& interrupt, ProgressLine& progress) {
  plan.device.shows_progress = true;
  plan.device.shares_memory = true;
  plan.device.tells_time = plan.estimated_clock;
  plan.device.capability = simulated_architecture_of(program.executable);
  if (plan.device.capability == kNewestSimulated && plan.newest) plan.profile = std::move(*plan.newest);
  plan.device.profile = plan.profile.numbers;
  auto device = start_device(plan.choice, plan.device);
  if (!device) return device.problem();
  ProgramOptions how;
  how.call_frames = plan.call_frames;
  how.failed_calls = !plan.quiet;
  how.estimated_clock = plan.estimated_clock;
  how.check_streams = plan.check_streams;
  how.shuffle_streams = plan.shuffle_streams;
  how.per_thread_stream = (plan.check_streams || plan.shuffle_streams) && has_per_thread_stream(plan.command);
  how.look = [&](LaunchBoard& board) {
    if (!interrupt.flag()->load()) progress.look(board);  // an interrupt ended it
  };
  auto run = run_program(**device, program.executable, arguments, how);
  if (run && !info_of((*device)->kind()).simulates) run->device.host_clock = false;
  return run;
}

int build_and_run(RunPlan& plan, const RunOptions& options, const Arguments& arguments) {
  const Interrupt interrupt;
  busy_line::show(msg::compiling_program(plan.file));
  auto program =
      plan.built ? already(*plan.built) : build(plan.command, plan.compiler, plan.choice, plan.old);
  if (!program) return report_error(program.problem(), kCouldNotGrade);
  for (const CompilerMessage& message : program->errors) print_err("{}\n", printable(message.display()));
  for (const CompilerMessage& message : program->warnings) print_err("{}\n", printable(message.display()));
  std::vector<Problem> problems = problems_of_build(*program);
  if (program->status != BuildStatus::Ok) {
    if (auto written = options.files.write(problems); !written)
      return report_error(written.problem(), kCouldNotGrade);
    return report_error(error(program->sentence), kUsage);
  }
  busy_line::stop();  // the terminal is the program's
  ProgressLine progress(isatty(STDERR_FILENO) != 0);
  auto run = observed_run(plan, *program, arguments, interrupt, progress);
  if (interrupt.flag()->load()) return report_interrupted(progress);
  if (!run) return report_error(run.problem(), kCouldNotGrade);
  busy_line::show(msg::evaluating_run());
  if (plan.call_frames || !run->device.api_errors.empty())
    place_calls(run->device, program->executable, plan.compiler);
  std::vector<std::filesystem::path> sources;
  for (const NvccSource& source : plan.command.sources) sources.emplace_back(source.file);
  name_arrays(run->device, sources);
  show_as_named(run->device, plan.command);
  const std::size_t suppressed = leave_out(run->device, [&](const Problem& problem) {
    return std::ranges::any_of(plan.unwanted, [&](const Suppression& one) { return one.fits(problem); });
  });
  const bool memory = (plan.device.checkers & sim::checker_bit(sim::Checker::Memcheck)) != 0;
  for (Problem& one : problems_of(run->device, memory)) problems.push_back(std::move(one));
  if (auto written = options.files.write(problems); !written)
    return report_error(written.problem(), kCouldNotGrade);
  if (auto written = write_counters(options.counters, run->device.launches); !written)
    return report_error(written.problem(), kCouldNotGrade);
  if (plan.profiled) {
    if (auto written = write_profile(plan.profile_file, plan.profile.title, run->device); !written)
      return report_error(written.problem(), kCouldNotGrade);
  }
  if (plan.explained) {
    const bool code = !plan.page.empty();
    const auto document = program_document(plan.file, code ? program->executable : std::filesystem::path(),
                                           plan.profile.name, run->device);
    if (auto written = write_explanation(document, plan.page); !written)
      return report_error(written.problem(), kCouldNotGrade);
  }
  return report(*run, plan.device.checkers, suppressed, plan.bad, plan.forced, options.quiet);
}

}  // namespace

int run_command(const Arguments& arguments) {
  RunOptions options;
  CommandLine line(
      "grader run", "grader run FILES... [OPTIONS] [NVCC'S OPTIONS] [-- ARGUMENTS OF THE PROGRAM]",
      "Builds a CUDA program and runs it, without a GPU on the simulator. Its files (.cu, .cpp, .c, .o, .a) "
      "and\n"
      "options are those of nvcc; options without effect here, such as -Xptxas, are ignored.\n"
      "The output and the exit status are those of the program.");
  add_options(line, options);
  const auto separator = std::find(arguments.begin(), arguments.end(), "--");
  if (auto status = line.parse(Arguments(arguments.begin(), separator))) return *status;
  const PrintedStats printed_stats(options.stats);
  auto plan = plan_of(options, line);
  if (!plan) return report_error(plan.problem(), kUsage);
  const bool has_own = separator != arguments.end();
  return build_and_run(*plan, options, Arguments(has_own ? separator + 1 : separator, arguments.end()));
}

int device_command(const Arguments& arguments) {
  const auto number = [&](std::size_t index) {
    return arguments.size() > index ? parse_number<int>(arguments[index]).value_or(-1) : -1;
  };
  const bool logs = arguments.size() == 3;
  if (number(0) < 0 || (arguments.size() != 1 && (!logs || number(1) < 0)))
    return report_error(error(msg::device_is_internal()), kUsage);
  if (logs) {  // the grader's words, not those of the environment
    const auto levels = logging::read_levels(arguments[2], "__device");
    if (!levels) return report_error(levels.problem(), kUsage);
    logging::start_for_relay(*levels, number(1));
  }
  return device_process_main(number(0));
}

}  // namespace cudalabs::cli
