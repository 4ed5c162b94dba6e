#include "grader/cli/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "grader/base/log/log.h"
#include "grader/base/parse_number.h"
#include "grader/base/process/sandbox.h"
#include "grader/base/process/search_path.h"
#include "grader/base/text.h"
#include "grader/cli/busy_line.h"
#include "grader/cli/print.h"
#include "grader/cli/stats_table.h"
#include "grader/course/course.h"
#include "grader/course/device_profile.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/present/layout.h"

namespace cudalabs::cli {
namespace {

Result<logging::Levels> levels_of_environment() {
  return logging::read_levels(environment("CUDA_LABS_LOG"), "$CUDA_LABS_LOG");
}

}  // namespace

std::span<const CommandEntry> commands() {
  static constexpr CommandEntry kCommands[] = {{"watch", watch_command, true},
                                               {"history", history_command, true},
                                               {"diff", diff_command, true},
                                               {"list", list_command, false},
                                               {"init", init_command, false},
                                               {"run", run_command, false},
                                               {"nvcc", nvcc_command, false},
                                               {"explain", explain_command, false},
                                               {"ladder", ladder_command, false},
                                               {"report", report_command, false},
                                               {"batch", batch_command, true},
                                               {"regrade", regrade_command, true},
                                               {"adjust", adjust_command, true},
                                               {"withdraw", withdraw_command, true},
                                               {"undo", undo_command, true},
                                               {"gradebook", gradebook_command, true},
                                               {"feedback", feedback_command, true},
                                               {"term", term_command, true},
                                               {"log", log_command, true},
                                               {"copies", similarity_command, false},
                                               {"check-labs", check_labs_command, true},
                                               {"new-lab", new_lab_command, false},
                                               {"course", course_command, false}};
  return kCommands;
}

std::span<const std::string> command_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const CommandEntry& command : commands()) all.emplace_back(command.name);
    return all;
  }();
  return names;
}

std::optional<std::string> value_among(const Arguments& arguments, const std::string& option) {
  std::optional<std::string> value;
  for (auto word = arguments.begin(); word != arguments.end() && *word != "--"; ++word) {
    if (*word == option && word + 1 != arguments.end())
      value = *++word;
    else if (word->starts_with(option + "="))
      value = word->substr(option.size() + 1);
  }
  return value;
}

Result<void> choose_language(const Arguments& arguments) {
  if (!arguments.empty() && arguments.front().starts_with("__")) return {};
  const char* const listed = std::getenv("LANGUAGE");
  // First, so that errors about --language are translated, too.
  if (auto spoken = set_language(language_of_list(listed == nullptr ? "" : listed)); !spoken) return spoken;
  const auto name = value_among(arguments, "--language");
  if (!name || set_language(*name)) return {};
  if (auto courses = find_courses(value_among(arguments, "--course").value_or("")); !courses)
    return courses.problem();
  return set_language(*name);
}

Result<void> check_environment() {
  if (const auto asked = sandbox_asked(); !asked) return asked.problem();
  const std::string compiler = environment("CUDA_LABS_COMPILER"), engine = environment("CUDA_LABS_ENGINE");
  if (!compiler.empty() && !compiler_named(compiler))
    return error(msg::bad_compiler_variable(compiler), msg::possible_compilers());
  if (!engine.empty() && !sim::engine_named(engine))
    return error(msg::bad_engine_variable(engine), msg::possible_engines());
  if (const auto levels = levels_of_environment(); !levels) return levels.problem();
  return {};
}

Result<void> start_log(const std::string& levels, const std::string& file) {
  const auto before = levels_of_environment();
  if (!before) return before.problem();
  auto wanted = logging::read_levels(levels, "--log", *before);
  if (!wanted) return wanted.problem();
  const std::string target = file.empty() ? environment("CUDA_LABS_LOG_FILE") : file;
  const bool off = *wanted == logging::Levels{};
  if (off && (file.empty() || !levels.empty())) return {};
  if (off) wanted->fill(logging::Level::Info);  // somebody who names a file wants a log
  if (!target.empty()) return logging::start(*wanted, std::filesystem::absolute(target).string());
  logging::start(*wanted, STDERR_FILENO);
  return {};
}

void add_stats_option(CommandLine& line, bool& stats) {
  line.flag("--stats", stats, "At the end, print how often each step ran and how long it took, to stderr");
}

PrintedStats::PrintedStats(bool asked) {
  if (!asked) return;
  logging::start_stats();
  whole_.emplace(logging::Metric::Command);
}

PrintedStats::~PrintedStats() {
  if (!whole_) return;
  whole_.reset();
  write_err(stats_table(logging::metric_rows()));
}

void log_progress(const Message& line) {
  std::string text = printable(rendered(line));
  std::ranges::replace(text, '\n', '?');
  print_err("{}\n", text);
}

int report_error(const Diagnostic& problem, ExitStatus status) {
  busy_line::stop();
  print_err("grader: {}\n", printable(shown_text(problem)));
  if (problem.is_infrastructure_error) return kCouldNotGrade;
  return problem.is_submissions_fault ? kNothingToGrade : status;
}

void add_course_option(CommandLine& line, std::string& folder) {
  line.option("--course", "DIR", folder, "Folder of the course (with configs/, labs/, ...), for its staff");
}

namespace {

std::vector<std::string> known_devices() {
  std::vector<std::string> names{"auto"};
  for (const DeviceKindInfo& kind : kDeviceKinds) names.emplace_back(kind.name);
  return names;
}

const std::vector<std::string> kCompilerNames{"auto", "nvcc", "clang"};
const std::vector<std::string> kEngineNames{"auto", "interpreter", "native"};

}  // namespace

void add_device_option(CommandLine& line, std::string& name) {
  const std::vector<std::string> names = known_devices();
  line.option("--device", "NAME", name,
              fmt::format("{}, or auto: a GPU if there is one [auto]",
                          fmt::join(names.begin() + 1, names.end(), ", ")));
  line.choices("--device", names);
}

Result<DeviceChoice> chosen_device(const std::string& name, bool with_profile) {
  const DeviceKindInfo* const kind = device_named(name);
  if (name == "auto") return with_profile ? DeviceChoice::Simulator : DeviceChoice::Auto;
  if (kind == nullptr) {
    std::vector<std::string> names = known_devices();
    std::string last = std::move(names.back());
    names.pop_back();
    const Message known = msg::known_devices(listed(names), last);
    names.push_back(std::move(last));
    return error(msg::unknown_device(name, suggestion(name, names)), known);
  }
  if (kind->simulates) return kind->choice;
  if (with_profile) {
    return error(msg::profile_without_estimate(), msg::omit_gpu_or_profile());
  }
  if (auto found = find_device(*kind); !found) return found.problem();
  return kind->choice;
}

void add_compiler_option(CommandLine& line, std::string& name) {
  line.option("--compiler", "NAME", name,
              "nvcc, clang, or auto: nvcc where it is installed, else clang [auto]");
  line.choices("--compiler", kCompilerNames);
}

const std::string& compiler_of(const Course& course, const std::string& named) {
  return named.empty() ? course.compiler : named;
}

Result<CompilerChoice> chosen_compiler(const std::string& name) {
  if (name.empty()) return CompilerChoice::Auto;
  if (const auto choice = compiler_named(name)) return *choice;
  return error(msg::unknown_compiler(name, suggestion(name, kCompilerNames)), msg::known_compilers());
}

Result<std::optional<std::uint64_t>> chosen_seed(const std::string& text) {
  if (text.empty()) return std::optional<std::uint64_t>();
  const auto seed = parse_number<std::uint64_t>(text);
  if (!seed) return error(msg::not_a_seed(text));
  return seed;
}

Result<void> check_sandbox(bool required) {
  if (!required || usable_sandbox() == SandboxKind::Bubblewrap) return {};
  return Diagnostic{
      {}, msg::no_required_sandbox(spelling(usable_sandbox())), msg::install_bubblewrap(), true};
}

void add_engine_option(CommandLine& line, std::string& name) {
  line.option("--engine", "NAME", name,
              "What runs kernels on the simulator: interpreter, native, or auto: machine code for what is "
              "hot [auto]");
  line.choices("--engine", kEngineNames);
}

Result<sim::Engine> chosen_engine(const std::string& name) {
  if (name.empty()) return sim::Engine::Auto;
  if (const auto engine = sim::engine_named(name)) return *engine;
  return error(msg::unknown_engine(name, suggestion(name, kEngineNames)), msg::known_engines());
}

void add_profile_option(CommandLine& line, std::string& name) {
  line.option("--device-profile", "NAME", name,
              fmt::format("Estimate the times of this card [{}]", kDefaultProfile));
}

}  // namespace cudalabs::cli
