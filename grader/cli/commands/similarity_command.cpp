#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "grader/base/human.h"
#include "grader/base/parse_number.h"
#include "grader/classroom/intake/find_submission.h"
#include "grader/classroom/intake/layouts.h"
#include "grader/classroom/reports/class_files.h"
#include "grader/classroom/reports/compare_page.h"
#include "grader/classroom/reports/course_files.h"
#include "grader/classroom/similarity/aligned_lines.h"
#include "grader/classroom/similarity/export.h"
#include "grader/classroom/similarity/groups.h"
#include "grader/cli/command.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/print.h"
#include "grader/course/cache.h"
#include "grader/course/device_profile.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/grading/submission_prints.h"
#include "grader/present/layout.h"

namespace cudalabs::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct CopiesOptions {
  std::string lab, variant, course, compiler, threshold, json, folder, pages;
  std::vector<std::string> sources;
};

struct Found {
  std::string id;
  Submission submission;
};
struct Unread {
  std::string id;
  Diagnostic why;
};
struct Class {
  std::vector<Found> found;
  std::vector<Unread> unread;
};

/// Parses a share: "50" or "50%".
Result<double> parse_threshold(const std::string& text) {
  CopyOptions options;
  if (text.empty()) return options.threshold;
  const int percent =
      parse_number<int>(std::string_view(text).substr(0, text.size() - (text.ends_with('%') ? 1 : 0)))
          .value_or(0);
  if (percent < 1 || percent > 100) return error(msg::not_a_percentage(text));
  return percent / 100.0;
}

std::string name_of(const fs::path& path) {
  const fs::path whole = (path / "").lexically_normal().parent_path();
  return whole.filename().empty() || whole == "." ? path.string() : whole.filename().string();
}

/// Each source is a submission or a class, as for `grader batch`. Ids are the students' where those are
/// unique, otherwise places.
Class read_class(const Lab& lab, const std::vector<std::string>& slugs,
                 const std::vector<std::string>& sources) {
  Class all;
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, const std::string& place, Submission submission) {
    all.found.push_back({place, std::move(submission)});
    names.push_back(name);
  };
  for (const std::string& source : sources) {
    if (auto usual = locate_submission(lab, source); usual && *usual) {
      add(name_of(source), source, std::move(**usual));
      continue;
    }
    auto tree = read_tree(source);
    if (!tree) {
      all.unread.push_back({source, tree.problem()});
      continue;
    }
    ClassSources handed = hand_ins_of(lab, slugs, *tree);
    if (handed.hand_ins.empty())
      all.unread.push_back({source, {{source, 0, 0}, msg::no_submission_in_source(lab.slug), {}}});
    for (HandIn& one : handed.hand_ins) {
      if (one.problem.empty())
        add(one.student, one.place, std::move(one.submission));
      else
        all.unread.push_back({one.student, {{source + "/" + one.student, 0, 0}, one.problem, {}}});
    }
  }
  std::map<std::string, int> uses;
  for (const std::string& name : names) ++uses[name];
  for (std::size_t n = 0; n < names.size(); ++n)
    if (uses[names[n]] == 1) all.found[n].id = names[n];
  return all;
}

std::string percent(double share) {
  // A share below 1 is never rounded up to 100 %.
  return fmt::format("{:.0f} %", share >= 1 ? 100.0 : std::min(99.0, 100 * share));
}

/// What the fingerprints of pairs do not say.
struct Relatives {
  struct Identical {
    std::vector<std::size_t> members;
    bool handed_out = false;  ///< it is the stub
  };
  std::vector<Identical> identical;
  std::vector<Likeness> like_reference;
};

struct Report {
  const Lab& lab;
  const CompilerName& compiler;
  const Class& all;
  const std::vector<CopyEntry>& entries;
  const CopyGroups& copies;
  const Relatives& relatives;
  double threshold = 0;

  [[nodiscard]] const std::string& id(std::size_t member) const { return entries[member].id; }
  [[nodiscard]] std::vector<std::string> ids(const std::vector<std::size_t>& members) const {
    std::vector<std::string> names;
    for (const std::size_t member : members) names.push_back(id(member));
    return names;
  }
};

std::string as_text(const Report& report) {
  std::string text =
      fmt::format("{}: {}, by {} {}\n", report.lab.slug, plural(report.entries.size(), "submission"),
                  report.compiler.name, report.compiler.version);
  if (report.copies.groups.empty())
    text += fmt::format("No two submissions have {} or more in common.\n", percent(report.threshold));
  std::size_t number = 0;
  for (const CopyGroup& group : report.copies.groups) {
    text += fmt::format("\nGroup {}: {} with up to {} in common: {}\n", ++number,
                        plural(group.members.size(), "submission"), percent(group.share),
                        fmt::join(report.ids(group.members), ", "));
    for (const CopyPair& pair : group.pairs) {
      text += fmt::format("  {:>5}  {} and {}: {} of the one and {} of the other{}\n", percent(pair.share),
                          report.id(pair.first), report.id(pair.second), percent(pair.of_first),
                          percent(pair.of_second),
                          pair.by == ComparedBy::Text ? ", by their text: one does not compile" : "");
    }
    if (group.pairs_left_out > 0)
      text += fmt::format("         and {} more\n", plural(group.pairs_left_out, "pair"));
  }
  for (const Relatives::Identical& one : report.relatives.identical)
    text += fmt::format("\nIdentical{}: {}\n", one.handed_out ? " to the file that was handed out" : "",
                        fmt::join(report.ids(one.members), ", "));
  if (!report.relatives.like_reference.empty()) text += "\nLike the reference solution\n";
  for (const Likeness& one : report.relatives.like_reference)
    text += fmt::format("  {:>5}  {}\n", percent(one.share), report.id(one.entry));
  if (!report.copies.not_compared.empty())
    text += fmt::format("\nNot compared, because too little code is left: {}\n",
                        fmt::join(report.ids(report.copies.not_compared), ", "));
  for (const Unread& unread : report.all.unread) text += fmt::format("\nNot read: {}\n", unread.why.text());
  return text;
}

/// Makes a file name valid in a JSON document.
std::string utf8(const std::string& text) { return printable(text); }

std::string as_json(const Report& report) {
  Json groups = Json::array(), not_compared = Json::array(), unread = Json::array();
  Json identical = Json::array(), like_reference = Json::array();
  for (const CopyGroup& group : report.copies.groups) {
    Json members = Json::array(), pairs = Json::array();
    for (const std::size_t member : group.members) members.push_back(utf8(report.id(member)));
    for (const CopyPair& pair : group.pairs) {
      pairs.push_back({{"first", utf8(report.id(pair.first))},
                       {"second", utf8(report.id(pair.second))},
                       {"share", pair.share},
                       {"of_first", pair.of_first},
                       {"of_second", pair.of_second},
                       {"common", pair.common},
                       {"by", pair.by == ComparedBy::Code ? "code" : "text"}});
    }
    groups.push_back({{"members", members},
                      {"share", group.share},
                      {"pairs", pairs},
                      {"pairs_left_out", group.pairs_left_out}});
  }
  for (const Relatives::Identical& one : report.relatives.identical) {
    Json members = Json::array();
    for (const std::size_t member : one.members) members.push_back(utf8(report.id(member)));
    identical.push_back({{"members", members}, {"handed_out", one.handed_out}});
  }
  for (const Likeness& one : report.relatives.like_reference)
    like_reference.push_back({{"id", utf8(report.id(one.entry))}, {"share", one.share}});
  for (const std::size_t member : report.copies.not_compared) not_compared.push_back(utf8(report.id(member)));
  for (const Unread& one : report.all.unread)
    unread.push_back({{"id", utf8(one.id)}, {"why", utf8(one.why.text())}});
  const Json document = {{"schema", "grader/copies/v1"},
                         {"lab", report.lab.lab},
                         {"variant", report.lab.variant},
                         {"compiler", {{"name", report.compiler.name}, {"version", report.compiler.version}}},
                         {"threshold", report.threshold},
                         {"submissions", report.entries.size()},
                         {"groups", groups},
                         {"identical", identical},
                         {"like_reference", like_reference},
                         {"not_compared", not_compared},
                         {"not_read", unread}};
  return document.dump(2) + "\n";
}

Result<void> write_export(const Lab& lab, const Class& all, const std::string& folder) {
  std::vector<ExportedSubmission> submissions;
  for (const Found& one : all.found) {
    submissions.push_back({one.id, {}, {{one.submission.source.name, one.submission.source.content}}});
    for (const SourceFile& header : one.submission.headers) {
      if (header.name != lab.contract.filename())
        submissions.back().files.push_back({header.name, header.content});
    }
  }
  std::vector<ExportedFile> handed_out;
  for (const fs::path& file : {lab.stub, lab.contract}) {
    auto content = read_file(file, kMaxSourceBytes);
    if (!content) return content.problem();
    handed_out.push_back({file.filename().string(), std::move(*content)});
  }
  return export_for_jplag_and_dolos(folder, submissions, handed_out);
}

Relatives relatives_of(GradingContext& context, const Class& all, const CourseFiles& course,
                       const std::vector<CopyEntry>& entries, const Fingerprints& handed_out,
                       double threshold) {
  Relatives relatives;
  std::vector<std::string_view> texts;
  for (const Found& one : all.found) texts.emplace_back(one.submission.source.content);
  texts.emplace_back(course.stub);
  for (std::vector<std::size_t>& group : equal_texts(texts)) {
    const bool is_stub = group.back() == all.found.size();
    if (is_stub) group.pop_back();
    relatives.identical.push_back({std::move(group), is_stub});
  }
  if (const auto reference = reference_prints(context))
    relatives.like_reference = entries_like(*reference, entries, handed_out, {threshold});
  return relatives;
}

/// A page for each pair, and for each likeness to the reference: both files side by side.
Result<void> write_pages(const Report& report, const CourseFiles& course, const fs::path& folder) {
  constexpr std::size_t kMaxPages = 200;
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) return Diagnostic{{folder.string(), 0, 0}, msg::cannot_be_made(problem.message()), {}};
  std::size_t pages = 0;
  const auto write = [&](std::size_t first, const ComparedFile& second, double share) -> Result<void> {
    if (pages++ >= kMaxPages) return {};
    const std::string& id = report.id(first);
    return write_file_atomically(folder / (file_name_of(id + " " + second.title) + ".html"),
                                 compare_page({id, report.all.found[first].submission.source.content}, second,
                                              share, course.handed_out()));
  };
  for (const CopyGroup& group : report.copies.groups)
    for (const CopyPair& pair : group.pairs)
      if (auto written = write(
              pair.first, {report.id(pair.second), report.all.found[pair.second].submission.source.content},
              pair.share);
          !written)
        return written;
  for (const Likeness& one : report.relatives.like_reference)
    if (auto written = write(one.entry, {tr("the reference solution"), course.reference}, one.share);
        !written)
      return written;
  return {};
}

}  // namespace

int similarity_command(const Arguments& arguments) {
  CopiesOptions options;
  CommandLine line(
      "grader copies", "grader copies LAB VARIANT SUBMISSIONS... [OPTIONS]",
      "Compares the submissions of a class: names, order, spelling, code that is handed out and code that\n"
      "most have do not count. Groups with much in common are a place to look, not a verdict.");
  line.positional("LAB", options.lab, "The lab, for example lab3");
  line.positional("VARIANT", options.variant, "Its variant, for example variant4");
  line.positionals("SUBMISSIONS", options.sources,
                   ".cu files or students' folders, or one folder with a folder for each student");
  line.option("--threshold", "PERCENT", options.threshold, "Show pairs with at least this share [50]");
  line.option("--json", "FILE", options.json, "Write the groups as JSON; - means stdout");
  line.option("--html", "DIR", options.pages, "Write a page for each pair: both files side by side");
  line.option("--export", "DIR", options.folder, "Create a folder of the sources for JPlag and Dolos");
  add_compiler_option(line, options.compiler);
  add_course_option(line, options.course);
  line.footer(
      "Example:\n"
      "  grader copies lab3 variant4 class/\n\n"
      "Exit status: 0 compared, with or without findings, 2 wrong usage, 3 could not compare.\n");
  if (auto status = line.parse(arguments)) return *status;
  if (options.sources.empty()) {
    return report_error(
        error(msg::copies_needs_arguments(), msg::for_example("grader copies lab3 variant4 class/")), kUsage);
  }
  const auto threshold = parse_threshold(options.threshold);
  if (!threshold) return report_error(threshold.problem(), kUsage);
  auto course = find_course(options.course, options.lab);
  if (!course) return report_error(course.problem(), kUsage);
  const auto compiler = chosen_compiler(compiler_of(*course, options.compiler));
  if (!compiler) return report_error(compiler.problem(), kUsage);
  const auto profile = load_device_profile(*course, {});
  if (!profile) return report_error(profile.problem(), kUsage);

  const Interrupt interrupt;
  const auto context = GradingContext::open(*course, options.lab, options.variant,
                                            {DeviceChoice::Simulator, *profile, interrupt.flag(), *compiler});
  if (!context) return report_error(context.problem(), kUsage);
  const Lab& lab = (*context)->lab();
  const Class all = read_class(lab, slugs_of(*course), options.sources);
  if (all.found.size() < 2) {
    for (const Unread& unread : all.unread) log_progress(verbatim(shown_text(unread.why)));
    return report_error(error(msg::nothing_to_compare(all.found.size(), lab.slug)), kUsage);
  }
  if (!options.folder.empty()) {
    if (auto written = write_export(lab, all, options.folder); !written)
      return report_error(written.problem(), kUsage);
  }

  std::vector<CopyEntry> entries;
  const auto handed_out = handed_out_prints(**context);
  if (!handed_out) return report_error(handed_out.problem(), kCouldNotGrade);
  for (const Found& one : all.found) {
    log_progress(msg::comparing(entries.size() + 1, all.found.size(), one.id));
    auto prints = submission_prints(**context, one.submission);
    if ((*context)->cancelled()) return kCouldNotGrade;
    if (!prints) return report_error(prints.problem(), kCouldNotGrade);
    entries.push_back({one.id, std::move(*prints)});
  }
  const auto made_by = (*context)->compiler();
  if (!made_by) return report_error(made_by.problem(), kCouldNotGrade);
  const CopyGroups copies = groups_of(entries, *handed_out, {*threshold});
  const CourseFiles course_texts = course_files(*course, options.lab, options.variant);
  const Relatives relatives = relatives_of(**context, all, course_texts, entries, *handed_out, *threshold);
  const Report report{lab, *made_by, all, entries, copies, relatives, *threshold};
  if (!options.pages.empty()) {
    if (auto written = write_pages(report, course_texts, options.pages); !written)
      return report_error(written.problem(), kUsage);
  }
  if (options.json != "-") write_out(printable(as_text(report)));
  if (options.json == "-") {
    write_out(as_json(report));
  } else if (!options.json.empty()) {
    if (auto written = write_file_atomically(options.json, as_json(report)); !written)
      return report_error(written.problem(), kUsage);
  }
  return kPassed;
}

}  // namespace cudalabs::cli
