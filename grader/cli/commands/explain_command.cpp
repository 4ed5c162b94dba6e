#include "grader/cli/commands/explain_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "grader/base/human.h"
#include "grader/base/parse_number.h"
#include "grader/base/text.h"
#include "grader/cli/busy_line.h"
#include "grader/cli/command.h"
#include "grader/cli/files/launch_files.h"
#include "grader/cli/files/target_file.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/message_list.h"
#include "grader/cli/print.h"
#include "grader/course/device_profile.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/grading/program_ptx.h"
#include "grader/grading/trace.h"
#include "grader/present/glossary.h"
#include "grader/present/layout.h"
#include "grader/present/terminal/explained.h"
#include "grader/present/web/explained.h"
#include "grader/present/words.h"
#include "grader/toolchain/compile.h"

namespace cudalabs::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxCaseBytes = std::uint64_t{1} << 30;  // total of all arrays of the case

struct ExplainOptions {
  std::string lab, variant, submission, seed, html, profiled, course, compiler, word;
  std::string profile;
  std::vector<std::string> versions, sizes;
  bool quiet = false, messages = false, code = false, profiles = false;
};

/// Total bytes of all arrays; more than kMaxCaseBytes if the total overflows.
std::uint64_t case_bytes(const Lab& lab, const TestCase& test) {
  std::uint64_t sum = 0;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_array()) continue;
    std::uint64_t bytes = parameter.element_bytes();
    for (const std::string& name : parameter.shape) {
      const auto size = static_cast<std::uint64_t>(test.extent(name));
      if (size > kMaxCaseBytes || (bytes *= size) > kMaxCaseBytes) return kMaxCaseBytes + 1;
    }
    sum += bytes;
  }
  return sum;
}

/// The timed case with the sizes from --size.
Result<TestCase> choose_case(const Lab& lab, const std::vector<std::string>& options) {
  TestCase test = lab.timed;
  std::vector<std::string> names;
  for (const auto& [name, value] : test.sizes) names.push_back(name);
  const Message possible =
      msg::sizes_of_lab(lab.slug, listed(names), names.empty() ? std::string("n") : names.front());
  for (const std::string& option : options) {
    for (std::size_t begin = 0; begin <= option.size();) {
      const std::size_t end = std::min(option.find(',', begin), option.size());
      const std::string part = option.substr(begin, end - begin);
      begin = end + 1;
      const std::size_t equals = part.find('=');
      const auto value =
          equals == std::string::npos ? std::nullopt : parse_number<std::int64_t>(part.substr(equals + 1));
      if (!value || *value < 0 || *value > INT32_MAX) return error(msg::not_a_size(part), possible);
      const std::string name = part.substr(0, equals);
      const auto size =
          std::find_if(test.sizes.begin(), test.sizes.end(), [&](const auto& s) { return s.first == name; });
      if (size == test.sizes.end())
        return error(msg::no_such_size(lab.slug, name, suggestion(name, names)), possible);
      size->second = *value;
    }
  }
  if (case_bytes(lab, test) > kMaxCaseBytes) {
    return error(msg::explain_case_too_large(test.name(), kMaxCaseBytes), msg::few_elements_do());
  }
  return test;
}

explain::SourceText from_memory(const SourceFile& file) { return {file.name, split_lines(file.content), {}}; }

/// Shows only the submission's own files and the contract, because a submission can choose the file names
/// that the compiler records.
void add_sources(explain::Document& document, const Lab& lab, const Submission& submission,
                 const std::vector<explain::KernelFigures>& kernels) {
  for (const std::string& name : explain::files_of(kernels)) {
    const std::string base = base_name(name);
    const auto& headers = submission.headers;
    const auto header =
        std::find_if(headers.begin(), headers.end(), [&](const SourceFile& h) { return h.name == base; });
    if (base == submission.source.name) {
      document.sources[name] = from_memory(submission.source);
    } else if (header != headers.end()) {
      document.sources[name] = from_memory(*header);
    } else if (base == lab.contract.filename()) {
      document.sources[name] = explain::read_source(lab.contract.string());
    } else {
      document.sources[name] = {
          base, {}, tr("This file is not part of the submission, so its lines are shown by number only.")};
    }
  }
}

std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.' && text.back() != '?' && text.back() != '!') text += '.';
  return text;
}

explain::Section section_of(const VersionEvidence& version, bool several) {
  explain::Section section;
  if (several || version.state != Verdict::Accepted) section.title = tr("version {}", version.name);
  const auto remark = [&](const std::string& text) {
    if (!text.empty()) section.remarks.push_back(sentence(text));
  };
  remark(rendered(version.message));
  remark(rendered(version.advice));
  for (const CaseEvidence& run : version.cases) {
    section.kernels = explain::figures_of(run.launches);
    if (run.verdict != Verdict::Accepted) {
      const std::string where =
          run.where.file.empty() ? "" : fmt::format(" ({}:{})", base_name(run.where.file), run.where.line);
      remark(fmt::format("{}{}: {}", verdict_words(run.verdict), where, rendered(run.message)));
      remark(rendered(run.advice));
    }
    if (section.kernels.empty())
      remark(tr("No kernel was launched in this run, so there is nothing to explain."));
  }
  return section;
}

/// Shows the kernels of the versions instead of their lines. `file`: write_profile().
int profile_versions(const std::vector<VersionEvidence>& versions, const std::string& card,
                     const std::string& file) {
  std::vector<ProfiledKernel> kernels;
  for (const VersionEvidence& version : versions) {
    for (const std::string& remark : section_of(version, true).remarks)
      print_err("`{}`: {}\n", version.name, remark);
    for (const CaseEvidence& run : version.cases)
      std::ranges::move(profile_of(run.launches, version.name), std::back_inserter(kernels));
  }
  if (auto written = write_profile(file, card, kernels); !written)
    return report_error(written.problem(), kCouldNotGrade);
  return kernels.empty() ? kLostPoints : kPassed;
}

int explain_word(std::string asked) {
  std::ranges::transform(asked, asked.begin(), [](unsigned char c) { return std::tolower(c); });
  std::vector<const GlossaryWord*> words = words_in(asked);  // in English, which papers and tools use
  std::vector<std::string> names;
  for (const GlossaryWord& word : glossary()) {
    names.push_back(word.shown());
    if (asked == "all" || (words.empty() && asked == word.shown())) words.push_back(&word);
  }
  const auto width = static_cast<std::size_t>(ConsoleStyle::for_descriptor(STDOUT_FILENO).width);
  for (const GlossaryWord* const word : words) {
    const std::string text = fmt::format("{}: {}", word->shown(), rendered(Message(*word->meaning, {})));
    for (const std::string& piece : wrap(text, width)) print_out("{}\n", piece);
  }
  if (!words.empty()) return kPassed;
  return report_error(
      error(msg::no_such_word(printable(asked), suggestion(asked, names)), msg::words_are(listed(names))),
      kUsage);
}

int explain_job(GradingContext& context, const GradeJob& job, const TestCase& test,
                const ExplainOptions& options) {
  const Progress progress = [&options](const Message& line) {
    if (!options.quiet) log_progress(line);
    busy_line::show(line);
  };
  auto traced = trace(context, job, test, progress);
  if (!traced) return report_error(traced.problem(), kCouldNotGrade);
  const bool compiles =
      std::none_of(traced->versions.begin(), traced->versions.end(),
                   [](const VersionEvidence& v) { return v.state == Verdict::CompileError; });
  if (!compiles && !traced->compiler_output.empty()) {
    print_err("{}\n", printable(rendered_lines(traced->compiler_output)));
    return report_error(error(msg::submission_does_not_compile(), msg::repair_the_first_error()),
                        kLostPoints);
  }
  if (options.profiles)
    return profile_versions(traced->versions, context.options().profile.title, options.profiled);
  explain::Document document;
  document.title = fmt::format("{} {}: {}", context.lab().lab, context.lab().variant,
                               translated_word(context.lab().title));
  document.subtitle = tr("{} on the simulator, times estimated for {}, {}, seed {}",
                         job.submission.source.name, context.options().profile.name, test.name(), job.seed);
  if (options.code || !options.html.empty()) document.code = explain::code_of(traced->ptx);
  bool any = false;
  for (const VersionEvidence& version : traced->versions) {
    document.sections.push_back(section_of(version, traced->versions.size() > 1));
    add_sources(document, context.lab(), job.submission, document.sections.back().kernels);
    any = any || !document.sections.back().kernels.empty();
  }
  if (auto written = write_explanation(document, options.html); !written)
    return report_error(written.problem(), kCouldNotGrade);
  return any ? kPassed : kLostPoints;
}

}  // namespace

Result<void> check_html_target(const std::string& target) {
  if (target.empty()) return {};
  const fs::path file(target), folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) return error(msg::page_is_a_folder(target));
  if (!takes_text(file))
    return error(msg::file_not_writable(target), msg::is_it_your_folder(folder.string()));
  return {};
}

Result<void> write_explanation(const explain::Document& document, const std::string& html_target) {
  if (html_target.empty()) {
    write_out(explain::text_page(document, ConsoleStyle::for_descriptor(STDOUT_FILENO)));
    return {};
  }
  std::ofstream file(html_target, std::ios::binary | std::ios::trunc);
  file << explain::html_page(document);
  file.close();
  if (!file) return error(msg::write_failed(html_target));
  print_err("wrote {}; open it in a browser\n", html_target);
  return {};
}

explain::Document program_document(const std::string& file, const fs::path& executable,
                                   const std::string& profile, const CallOutcome& outcome) {
  explain::Document document;
  document.title = fs::path(file).filename().string();
  if (!executable.empty())
    if (const auto ptx = program_ptx(executable)) document.code = explain::code_of(*ptx);
  document.subtitle = tr("on the simulator, times estimated for {}", profile);
  explain::Section section;
  section.kernels = explain::figures_of(outcome.launches);
  if (section.kernels.empty())
    section.remarks.push_back(tr("The program launched no kernel, so there is nothing to explain."));
  if (outcome.launches_not_recorded > 0) {
    section.remarks.push_back(tr("{} further launches are not in these figures: there were too many to keep.",
                                 human_count(outcome.launches_not_recorded)));
  }
  if (outcome.fault.kind != sim::FaultKind::None) section.remarks.push_back(sentence(outcome.fault.text()));
  std::error_code ignored;
  const fs::path folder = fs::weakly_canonical(fs::absolute(file, ignored), ignored).parent_path();
  for (const std::string& name : explain::files_of(section.kernels)) {
    explain::SourceText source = explain::read_source(name);
    const fs::path relative = fs::weakly_canonical(name, ignored).lexically_relative(folder);
    const bool inside = !relative.empty() && *relative.begin() != "..";
    source.name = inside ? relative.string() : name;
    document.sources[name] = std::move(source);
  }
  document.sections.push_back(std::move(section));
  return document;
}

int explain_command(const Arguments& arguments) {
  ExplainOptions options;
  CommandLine line("grader explain", "grader explain LAB VARIANT [OPTIONS]",
                   "Shows a lab's source line by line with the cost of each line: instructions, divergence, "
                   "global\n"
                   "memory sectors, bank conflicts. Nothing is graded.");
  line.positional("LAB", options.lab, "The lab, for example lab3");
  line.positional("VARIANT", options.variant, "Its variant, for example variant4");
  line.option(
      "--submission", "PATH", options.submission,
      "Your source, or a folder, archive or notebook with it [./LAB/VARIANT, else the current folder]");
  line.repeated("--version", "NAME", options.versions, "Explain this version only; may be repeated [all]");
  line.option("--html", "FILE", options.html, "Write a page for the browser instead of text");
  line.flag_or_value("--profile", options.profiled,
                     "Show a table of the kernels, as grader run --profile; --profile=FILE.csv writes it");
  line.flag("--code", options.code, "Show the PTX of each line, too; a page has it always");
  line.repeated("--size", "NAME=N", options.sizes,
                "Sizes of the case, as rows=64,cols=100 [those of the timed case]");
  line.option("--seed", "N", options.seed, "The same input as in the run that printed this seed [fresh]");
  line.flag("--messages", options.messages,
            "List the grader's messages instead: id, arguments and text; in place of LAB a part of them");
  line.option("--word", "NAME", options.word,
              "Explain a word of the cards instead, as sector or \"bank conflict\"; all: each of them");
  line.flag("-q,--quiet", options.quiet, "Log no progress");
  add_compiler_option(line, options.compiler);
  add_profile_option(line, options.profile);
  add_course_option(line, options.course);
  line.footer(
      "Examples:\n"
      "  grader explain lab3 variant4 --version shared\n"
      "  grader explain lab3 variant4 --size rows=64,cols=64 --html explain.html\n"
      "  grader explain lab3 variant4 --profile\n"
      "  grader explain --word wavefront\n\n"
      "Exit status: 0 explained, 1 the submission does not compile or ran no kernel, 2 wrong usage,\n"
      "3 could not run it.\n");
  if (auto status = line.parse(arguments)) return *status;
  if (options.messages) {
    const std::string list = message_list(options.lab);
    print_out("{}", list);
    return list.empty() ? kLostPoints : kPassed;
  }
  if (!options.word.empty()) return explain_word(options.word);
  if (const auto slash = options.lab.find('/'); slash != std::string::npos && options.variant.empty()) {
    options.variant = options.lab.substr(slash + 1);
    options.lab.resize(slash);
  }
  if (options.lab.empty() || options.variant.empty()) {
    return report_error(error(msg::explain_needs_lab(),
                              {msg::for_example("grader explain lab3 variant4"), msg::list_shows_labs()}),
                        kUsage);
  }
  auto course = find_course(options.course, options.lab);
  if (!course) return report_error(course.problem(), kUsage);
  const auto seed = chosen_seed(options.seed);
  if (!seed) return report_error(seed.problem(), kUsage);
  const auto compiler = chosen_compiler(compiler_of(*course, options.compiler));
  if (!compiler) return report_error(compiler.problem(), kUsage);
  const auto profile = load_device_profile(*course, options.profile);
  if (!profile) return report_error(profile.problem(), kUsage);
  if (auto target = check_html_target(options.html); !target) return report_error(target.problem(), kUsage);
  options.profiles = line.given("--profile");
  if (options.profiled == "true") options.profiled.clear();  // a flag without a value
  if (!options.profiled.empty() && options.profiled != "-" && !takes_text(options.profiled)) {
    return report_error(error(msg::file_not_writable(options.profiled), msg::name_a_writable_file()), kUsage);
  }

  const Interrupt interrupt;
  const auto context = GradingContext::open(*course, options.lab, options.variant,
                                            {DeviceChoice::Simulator, *profile, interrupt.flag(), *compiler});
  if (!context) return report_error(context.problem(), kUsage);
  const auto job = prepare(**context, {options.submission, options.versions, *seed});
  if (!job) return report_error(job.problem(), kUsage);
  auto test = choose_case((*context)->lab(), options.sizes);
  if (!test) return report_error(test.problem(), kUsage);
  return explain_job(**context, *job, *test, options);
}

}  // namespace cudalabs::cli
