#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>

#include "grader/base/human.h"
#include "grader/cli/command.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/lab_checks/against.h"
#include "grader/cli/lab_checks/handouts.h"
#include "grader/cli/print.h"
#include "grader/course/cache.h"
#include "grader/course/course.h"
#include "grader/course/device_profile.h"
#include "grader/course/lab_files.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/base.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/grading/check_lab.h"
#include "grader/grading/grade.h"

namespace cudalabs::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSourceBytes = 1 << 20;
constexpr std::size_t kKeptCaseBytes = 256 << 20;  // all planted bugs are graded with one seed

struct Variant {
  std::string lab, name;
};

using Problems = std::vector<std::string>;

struct Findings {
  Problems problems;
  double seconds = 0;                  ///< of grading the reference, which is compiled then
  std::vector<std::string> remarks{};  ///< worth a thought; the lab is right with them
  std::string points{};                ///< the sum of its points, in words; empty: the lab cannot be read
};

/// Reports placeholders that `grader new-lab` left. In the stub they are for the student.
void check_todos(const Lab& lab, Problems& problems) {
  std::vector<fs::path> files = handouts_of(lab);
  files.insert(files.begin(), {lab.config_file, lab.contract, lab.oracle, lab.reference});
  files.insert(files.end(), lab.reference_headers.begin(), lab.reference_headers.end());
  for (const fs::path& file : files) {
    const auto text = read_file(file, kMaxSourceBytes);
    if (!text) {
      problems.push_back(text.problem().text());
      continue;
    }
    std::istringstream lines(*text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      if (line.find("TODO") == std::string::npos) continue;
      problems.push_back(fmt::format("a TODO is left: {}:{}", file.string(), number));
      break;  // one for each file is enough
    }
  }
}

/// Grades one of the course's own files, which must compile without warnings and define every entry. Returns
/// nothing if grading is impossible; `problems` then says why.
std::optional<GradeResult> grade_own(GradingContext& context, const fs::path& file, const std::string& what,
                                     Problems& problems) {
  const auto failed = [&problems](const Diagnostic& problem) {
    problems.push_back(problem.text());
    return std::nullopt;
  };
  const auto job = prepare(context, {file, {}, {}});
  if (!job) return failed(job.problem());
  auto result = grade(context, *job, [](const Message&) {});
  if (!result) return failed(result.problem());
  if (!result->compiler_output.empty())
    problems.push_back(
        fmt::format("the {} does not compile: {}", what, result->compiler_output.english_lines()));
  const auto warnings = compiler_warnings(context, job->submission);
  if (!warnings) return failed(warnings.problem());
  if (!warnings->empty())
    problems.push_back(fmt::format("the compiler warns about the {}: {}", what, *warnings));
  for (const VersionResult& version : result->versions) {
    if (version.verdict == Verdict::Missing)
      problems.push_back(fmt::format("the {} does not define {}", what, version.entry));
  }
  return std::move(*result);
}

/// `but_for`: a part whose loss is no problem.
void check_losses(const VersionResult& version, std::uint64_t seed, const std::string& what,
                  const std::string& but_for, Problems& problems) {
  for (const LostPoints& lost : version.lost) {
    if (lost.part == but_for) continue;
    problems.push_back(fmt::format("the {} loses {} of `{}` for {} (seed {}): {}", what,
                                   human_points(lost.points), version.name, lost.part, seed,
                                   lost.reason.english()));
  }
}

void check_reference(const GradeResult& result, Problems& problems) {
  for (const VersionResult& version : result.versions) {
    check_losses(version, result.seed, "reference", "", problems);
    for (const Messages& note : version.notes)
      problems.push_back(fmt::format("the reference has a note for `{}` (seed {}): {}", version.name,
                                     result.seed, note.english()));
  }
}

/// Structure that a version asks for, and the one before it does not, should save time: students ask what the
/// points are for. A lab may have reasons.
void check_worth(const GradeResult& result, std::vector<std::string>& remarks) {
  constexpr double kSaved = 0.97;
  for (std::size_t i = 1; i < result.versions.size(); ++i) {
    const VersionResult &before = result.versions[i - 1], &version = result.versions[i];
    if (before.speed.student_ns <= 0 || version.speed.student_ns < kSaved * before.speed.student_ns) continue;
    for (const StructureResult& asked : version.structure) {
      if (std::ranges::find(before.structure, asked.requirement, &StructureResult::requirement) !=
          before.structure.end())
        continue;
      remarks.push_back(fmt::format(
          "`{}` asks for {} ({} points), which saves the reference no time: {}, and `{}` takes {}",
          version.name, spelling(asked.requirement), human_points(asked.max_points),
          human_time(version.speed.student_ns), before.name, human_time(before.speed.student_ns)));
    }
  }
}

void check_stub(const GradeResult& result, Problems& problems) {
  for (const VersionResult& version : result.versions) {
    if (version.points > 0) {
      problems.push_back(fmt::format("the untouched stub earns {} for `{}` (seed {})",
                                     human_points(version.points), version.name, result.seed));
    }
  }
}

/// Solutions of other algorithms lie beside the reference, in right/. They may be slower than it.
void check_right_solutions(GradingContext& context, Problems& problems) {
  for (const fs::path& file : files_in(context.lab().reference.parent_path() / "right", ".cu")) {
    const std::string what = "right solution " + file.filename().string();
    const auto result = grade_own(context, file, what, problems);
    if (!result) continue;
    for (const VersionResult& version : result->versions)
      check_losses(version, result->seed, what, "speed", problems);
  }
}

/// Each language of the course has a handout.
void check_languages(const Course& course, const Lab& lab, Problems& problems) {
  for (const std::string& language : course.languages) {
    const fs::path handout = lab.handout.parent_path() / ("handout." + language + ".md");
    std::error_code ignored;
    if (language != "en" && !fs::exists(handout, ignored))
      problems.push_back(
          fmt::format("course.yaml names the language '{}', and there is no {}", language, handout.string()));
  }
}

/// The texts of the lab that have no row in a language of the course: its titles and its usual mistakes, with
/// the words that these put into theirs.
void check_translations(const Course& course, const Lab& lab, const Messages& mistakes,
                        std::vector<std::string>& remarks) {
  std::vector<std::string> texts{lab.title};
  for (const Version& version : lab.versions) texts.push_back(version.title);
  for (const Message& mistake : mistakes) {
    texts.push_back(std::get<std::string>(mistake.arguments()[0]));
    for (const Message& place : std::get<Messages>(mistake.arguments()[1]))
      if (place.is(msg::course_word)) texts.push_back(std::get<std::string>(place.arguments()[0]));
  }
  for (const std::string& language : course.languages) {
    std::vector<std::string> named{""};  // what says nothing needs no row
    for (const std::string& text : texts) {
      if (language == "en" || is_translated(text, language) || std::ranges::count(named, text) > 0) continue;
      named.push_back(text);
      remarks.push_back(fmt::format("languages/{}.po has no row for \"{}\"", language, text));
    }
  }
}

/// What the oracle does wrong explains what the reference seems to do wrong: it comes first.
void check_oracle(const Course& course, GradingContext& context, Findings& findings) {
  Problems own;
  if (const auto found = rehearse_oracle(context)) {
    for (const Message& problem : found->problems) own.push_back(problem.english());
    check_translations(course, context.lab(), found->mistakes, findings.remarks);
  } else {
    own.push_back(found.problem().text());
  }
  findings.problems.insert(findings.problems.begin(), own.begin(), own.end());
}

void check_criteria(GradingContext& context, Findings& findings) {
  for (const std::string& hole : size_holes(context.lab())) findings.remarks.push_back(hole);
  const auto planted = check_planted(context);
  if (!planted) {
    findings.problems.push_back(planted.problem().text());
    return;
  }
  findings.problems.insert(findings.problems.end(), planted->problems.begin(), planted->problems.end());
  for (const std::string& name : planted->unproven)
    findings.remarks.push_back(fmt::format("no planted bug misses the criterion '{}'", name));
}

/// "90 points, 10 by hand, 5 as a bonus"
std::string points_words(const Lab& lab) {
  std::string words = human_points(lab.points_by_grader()) + " points";
  for (const auto& [points, how] : {std::pair(lab.points_by_hand(), "by hand"),
                                    {lab.points_by_rank(), "by rank"},
                                    {lab.bonus_points(), "as a bonus"}})
    if (points > 0) words += fmt::format(", {} {}", human_points(points), how);
  return words;
}

/// Inputs of a generator may take longer with some seeds than with others.
void check_seeds(GradingContext& context, Problems& problems) {
  constexpr int kMore = 2;
  const auto oracle = context.oracle();
  if (!oracle || !(*oracle)->has_generator() || !problems.empty()) return;
  for (int i = 0; i < kMore && problems.empty(); ++i) {
    if (const auto result = grade_own(context, context.lab().reference, "reference", problems))
      check_reference(*result, problems);
  }
}

/// Keeps the first of equal ones.
void drop_repeated(Problems& problems) {
  Problems once;
  for (std::string& problem : problems) {
    if (std::ranges::find(once, problem) == once.end()) once.push_back(std::move(problem));
  }
  problems = std::move(once);
}

Result<std::unique_ptr<GradingContext>> open_context(const Course& course, const Variant& variant,
                                                     CompilerChoice compiler, const Interrupt& interrupt) {
  auto profile = load_device_profile(course, {});
  if (!profile) return profile.problem();
  return GradingContext::open(
      course, variant.lab, variant.name,
      {DeviceChoice::Simulator, std::move(*profile), interrupt.flag(), compiler, kKeptCaseBytes});
}

/// Checks one variant.
Findings check_variant(const Course& course, const Variant& variant, CompilerChoice compiler,
                       const Interrupt& interrupt) {
  Findings findings;
  Problems& problems = findings.problems;
  const auto opened = open_context(course, variant, compiler, interrupt);
  if (!opened) return {{opened.problem().text()}};
  GradingContext& context = **opened;
  const Lab& lab = context.lab();
  findings.points = points_words(lab);
  std::ranges::move(handout_problems(lab), std::back_inserter(problems));
  check_languages(course, lab, problems);
  check_todos(lab, problems);
  if (const auto result = grade_own(context, lab.reference, "reference", problems)) {
    findings.seconds = result->nondeterministic.wall_seconds;
    check_reference(*result, problems);
    // Contract and configuration agree, or the oracle would read what is not there.
    check_oracle(course, context, findings);
    if (problems.empty()) check_worth(*result, findings.remarks);  // else there is more to do first
  }
  if (const auto result = grade_own(context, lab.stub, "stub", problems)) check_stub(*result, problems);
  check_seeds(context, problems);
  check_right_solutions(context, problems);
  check_criteria(context, findings);
  drop_repeated(problems);
  return findings;
}

/// Folders of variants without a configuration, for example because its name is misspelt.
Problems stray_folders(const Course& course) {
  Problems problems;
  for (const char* place : {"labs", "student_templates"}) {
    std::error_code failure;
    for (fs::directory_iterator lab(course.root / place, failure), end; !failure && lab != end;
         lab.increment(failure)) {
      std::error_code inner;
      if (!lab->is_directory(inner)) continue;
      const auto variants = variant_names(course, lab->path().filename().string());
      for (fs::directory_iterator variant(lab->path(), inner), last; !inner && variant != last;
           variant.increment(inner)) {
        const std::string name = variant->path().filename().string();
        if (!variant->is_directory(inner) || std::ranges::find(variants, name) != variants.end()) continue;
        const std::string slug = lab->path().filename().string() + "/" + name;
        problems.push_back(fmt::format("{}/{} has no configs/labs/{}.yaml", place, slug, slug));
      }
    }
  }
  std::ranges::sort(problems);
  return problems;
}

std::vector<Variant> chosen(const Course& course, const std::string& lab, const std::string& variant) {
  std::vector<Variant> variants;
  for (const std::string& l : lab_names(course)) {
    for (const std::string& v : variant_names(course, l)) {
      if ((lab.empty() || l == lab) && (variant.empty() || v == variant)) variants.push_back({l, v});
    }
  }
  return variants;
}

/// Indents the continuation lines of a message.
std::string indented(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return out;
}

/// Checks the variants of one course. Returns how many are wrong; none if the check was interrupted.
std::optional<std::size_t> check_course(const Course& course, const std::vector<Variant>& variants,
                                        CompilerChoice compiler, const Interrupt& interrupt) {
  std::size_t width = 0, wrong = 0;
  for (const Variant& v : variants) width = std::max(width, v.lab.size() + 1 + v.name.size());
  for (const Variant& v : variants) {
    const std::string name = v.lab + " " + v.name;
    const auto found = check_variant(course, v, compiler, interrupt);
    if (interrupt.flag()->load()) return std::nullopt;
    print_out("{:<{}}   {}\n", name, width,
              found.problems.empty()
                  ? fmt::format("right: the reference earns every point, the stub none; a grading "
                                "takes {}",
                                human_time(1e9 * found.seconds))
                  : "WRONG");
    if (!found.points.empty()) print_out("  {}\n", found.points);
    for (const std::string& problem : found.problems) print_out("  - {}\n", indented(problem));
    for (const std::string& remark : found.remarks) print_out("  - worth a thought: {}\n", indented(remark));
    std::fflush(stdout);
    wrong += found.problems.empty() ? 0 : 1;
  }
  return wrong;
}

/// Grades the submissions of a folder against one variant.
int grade_against(const Course& course, const Variant& variant, CompilerChoice compiler,
                  const std::string& source) {
  const Interrupt interrupt;
  const auto opened = open_context(course, variant, compiler, interrupt);
  if (!opened) return report_error(opened.problem(), kUsage);
  const auto printed = print_points_of(**opened, source);
  if (interrupt.flag()->load()) return report_error(error(msg::command_interrupted()), kCouldNotGrade);
  return printed ? kPassed : report_error(printed.problem(), kCouldNotGrade);
}

}  // namespace

int check_labs_command(const Arguments& arguments) {
  std::string lab, variant, compiler_name, folder, against;
  CommandLine line(
      "grader check-labs", "grader check-labs [LAB [VARIANT]] [OPTIONS]",
      "Checks the labs themselves: their files exist and agree, the reference solution earns every\n"
      "point, the untouched stub compiles without a warning and earns none, each planted bug misses\n"
      "its own criterion and no other, and right solutions of other algorithms lose points for speed\n"
      "alone. Names sizes that no case has, structure that saves no time, and titles and usual mistakes\n"
      "that a language of the course lacks.");
  line.positional("LAB", lab, "Only this lab [all]");
  line.positional("VARIANT", variant, "Only this variant of it [all]");
  line.option(
      "--against", "FOLDER", against,
      "Instead, grade the submissions of a folder or archive, and show how the points are distributed");
  line.footer("Exit status: 0 all are right, 1 some are not, 2 wrong usage, 3 the check failed.\n");
  add_compiler_option(line, compiler_name);
  add_course_option(line, folder);
  if (auto status = line.parse(arguments)) return *status;
  if (!against.empty() && variant.empty())
    return report_error(error(msg::against_needs_variant(),
                              msg::for_example("grader check-labs lab3 variant4 --against last_year/")),
                        kUsage);

  auto courses = find_courses(folder);
  if (!courses) return report_error(courses.problem(), kUsage);
  if (!lab.empty()) {
    auto course = find_course(folder, lab);
    if (!course) return report_error(course.problem(), kUsage);
    *courses = {std::move(*course)};
  }
  for (const Course& course : *courses)
    if (auto has = check_has_solutions(course, "check-labs"); !has)
      return report_error(has.problem(), kUsage);
  std::size_t wrong = 0, checked = 0, strays = 0;
  const Interrupt interrupt;
  for (const Course& course : *courses) {
    const auto compiler = chosen_compiler(compiler_of(course, compiler_name));
    if (!compiler) return report_error(compiler.problem(), kUsage);
    const std::vector<Variant> variants = chosen(course, lab, variant);
    if (variants.empty()) {
      // The error lists the existing variants.
      const auto found = lab.empty() ? Result<void>() : check_variant_exists(course, lab, variant);
      return report_error(found ? error(msg::no_labs(), msg::lab_is_a_file()) : found.problem(), kUsage);
    }
    if (const auto tools = find_toolchain(*compiler); !tools)
      return report_error(tools.problem(), kCouldNotGrade);
    if (!against.empty()) return grade_against(course, variants.front(), *compiler, against);
    const auto found = check_course(course, variants, *compiler, interrupt);
    if (!found) return report_error(error(msg::command_interrupted()), kCouldNotGrade);
    checked += variants.size();
    wrong += *found;
    if (!variant.empty()) continue;
    for (const std::string& stray : stray_folders(course)) {
      print_out("  - {}\n", stray);
      ++strays;
    }
  }
  print_out("{} of {} are right\n", checked - wrong, plural(checked, "variant"));
  return wrong == 0 && strays == 0 ? kPassed : kLostPoints;
}

}  // namespace cudalabs::cli
