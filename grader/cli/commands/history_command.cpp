#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>

#include "grader/base/human.h"
#include "grader/base/parse_number.h"
#include "grader/classroom/intake/utf8_name.h"
#include "grader/cli/commands/class_command.h"
#include "grader/cli/history.h"
#include "grader/cli/print.h"
#include "grader/cli/standing.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/present/formats/json_reader.h"
#include "grader/present/layout.h"
#include "grader/present/words.h"

namespace cudalabs::cli {
namespace {

using History = std::vector<GradeResult>;

/// "2026-11-23T14:46:01Z" in local time, to the minute.
std::string local_time(const std::string& utc) {
  std::tm parts{};
  if (::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts) == nullptr) return utc;
  const std::time_t at = ::timegm(&parts);
  ::localtime_r(&at, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts)};
}

std::vector<std::string> graded_versions(const GradeResult& result) {
  std::vector<std::string> names;
  for (const VersionResult& version : result.versions)
    if (version.verdict != Verdict::NotGraded) names.push_back(version.name);
  return names;
}
bool is_whole(const GradeResult& result) { return graded_versions(result).size() == result.versions.size(); }

/// The gradings of all versions; all gradings if there are none such.
History whole_ones(const History& history) {
  History whole;
  std::ranges::copy_if(history, std::back_inserter(whole), is_whole);
  return whole.empty() ? history : whole;
}

/// What these versions have in the result.
Standing standing_of(const GradeResult& result, const std::vector<std::string>& names) {
  Standing standing;
  for (const VersionResult& version : result.versions) {
    if (std::ranges::find(names, version.name) == names.end()) continue;
    standing.versions.push_back(version);
    standing.points += version.points;
  }
  if (is_whole(result) && names.size() == result.versions.size()) standing.points = result.points;
  return standing;
}

/// The last of the first `count` gradings that graded all of these versions; null: there is none.
const GradeResult* last_of(const History& history, std::size_t count, const std::vector<std::string>& names) {
  while (count > 0) {
    const auto graded = graded_versions(history[--count]);
    const bool all = std::ranges::all_of(
        names, [&](const std::string& name) { return std::ranges::find(graded, name) != graded.end(); });
    if (all) return &history[count];
  }
  return nullptr;
}

/// In what two gradings differ beside the submission: " (by clang instead of nvcc, another seed)".
std::string conditions(const GradeResult& before, const GradeResult& now, bool with_seed) {
  std::vector<std::string> all;
  const auto add = [&](const std::string& then, const std::string& to, const std::string& words) {
    if (then != to) all.push_back(words);
  };
  const auto compiler = [](const GradeResult& result) {
    return printable(result.compiler.name + " " + result.compiler.version);
  };
  const auto device = [](const GradeResult& result) {
    return result.card.empty() ? translated_word(result.device) : printable(result.card);
  };
  add(compiler(before), compiler(now), tr("by {} instead of {}", compiler(now), compiler(before)));
  add(device(before), device(now), tr("on {} instead of {}", device(now), device(before)));
  add(before.profile.name, now.profile.name,
      tr("times of {} instead of {}", printable(now.profile.name), printable(before.profile.name)));
  add(human_points(before.max_points), human_points(now.max_points),
      tr("of {} points instead of {}", human_points(now.max_points), human_points(before.max_points)));
  if (with_seed && before.seed != now.seed) all.push_back(tr("another seed"));
  return all.empty() ? "" : fmt::format("  ({})", fmt::join(all, ", "));
}

/// A curve with one column for each of the last 40 results.
std::string curve(const History& history) {
  static constexpr std::array<const char*, 8> kHeights{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text;
  for (std::size_t i = history.size() - std::min<std::size_t>(history.size(), 40); i < history.size(); ++i) {
    const GradeResult& result = history[i];
    const double share = result.max_points > 0 ? std::clamp(result.points / result.max_points, 0.0, 1.0) : 0;
    text += kHeights[static_cast<std::size_t>(std::lround(share * 7))];
  }
  return text;
}

void print_versions(const GradeResult& result) {
  for (const VersionResult& version : result.versions) {
    if (version.verdict == Verdict::NotGraded) continue;
    print_out("  {}  {} {}\n", printable(version.name), human_points(version.points), verdict_words(version));
  }
}

/// Prints what a grading changed in the last one of the same versions.
void print_grading(const History& history, std::size_t i, bool alone) {
  const GradeResult& result = history[i];
  const std::vector<std::string> names = graded_versions(result);
  std::string title = local_time(result.nondeterministic.started_at);
  if (!is_whole(result)) title += "  " + tr("only {}", printable(fmt::format("{}", fmt::join(names, ", "))));
  const GradeResult* const before = alone ? nullptr : last_of(history, i, names);
  const Standing now = standing_of(result, names);
  if (before == nullptr) {
    print_out("{}  {} of {} points\n", title, human_points(now.points), human_points(result.max_points));
    print_versions(result);
    return;
  }
  const Standing then = standing_of(*before, names);
  // The maximum of some versions is not that of all.
  GradeResult same = *before;
  if (graded_versions(*before).size() != names.size()) same.max_points = result.max_points;
  if (print_difference(title, difference(&then, &now), conditions(same, result, true))) return;
  print_out("{}  {}, as before", title, human_points(now.points));
  write_out(conditions(same, result, false) + "\n");
}

/// Prints the gained and lost points of each grading.
void print_history(const std::string& title, const History& history, std::size_t most) {
  print_out("{}  {}\n", printable(title), curve(whole_ones(history)));
  const std::size_t first = history.size() - std::min(history.size(), most);
  if (first > 0) print_out("({} earlier ones are not shown: --last {})\n", first, history.size());
  for (std::size_t i = first; i < history.size(); ++i) print_grading(history, i, i == first);
}

nlohmann::json json_of(const History& history) {
  nlohmann::json all = nlohmann::json::array();
  for (const GradeResult& result : history) {
    nlohmann::json versions = nlohmann::json::array();
    for (const VersionResult& version : result.versions) {
      versions.push_back(
          {{"name", version.name},
           {"verdict", spelling(version.verdict)},
           {"points", version.points},
           {"max_points", version.max_points},
           {"speedup", version.speed.source == TimeSource::None ? nlohmann::json()
                                                                : nlohmann::json(version.speed.speedup)}});
    }
    all.push_back({{"at", result.nondeterministic.started_at},
                   {"lab", result.lab},
                   {"variant", result.variant},
                   {"device", result.device},
                   {"points", result.points},
                   {"max_points", result.max_points},
                   {"versions", std::move(versions)}});
  }
  return all;
}

/// What a student's hand-ins were worth, by event: each grading of them that still counts, and each hand-in
/// of files that had been graded before, maybe for another student. No entry is older than its hand-in.
struct Attempt {
  const Grading* grading = nullptr;
  std::int64_t handed_at = 0;
};
std::map<std::int64_t, Attempt> attempts_of(const ClassRecord& record, const Student& student) {
  std::map<std::int64_t, Attempt> attempts;
  for (const Handed& handed : student.hand_ins) {
    const auto of_source = record.gradings.find(handed.source);
    if (of_source == record.gradings.end()) continue;
    const std::int64_t at = std::max(handed.at, handed.time.at);
    for (const Grading& grading : of_source->second) {
      if (grading.undone) continue;
      if (grading.event < handed.event)
        attempts[handed.event] = {&grading, at};
      else
        attempts.try_emplace(grading.event, Attempt{&grading, at});
    }
  }
  return attempts;
}

/// The history of a student in a class.
struct StudentHistory {
  History gradings;
  Messages withdrawn;
};
Result<StudentHistory> of_student(const std::string& out, const std::string& student) {
  auto folder = ClassFolder::open(out, ClassFolder::Make::No);
  if (!folder) return folder.problem();
  const auto record = read_record((*folder)->journal());
  if (!record) return record.problem();
  const auto found = record->students.find(utf8_name(student));
  if (found == record->students.end()) return unknown_student(*record, student);
  StudentHistory history;
  history.withdrawn = withdrawal_note(grade_of(*record, found->second));
  for (const auto& [event, attempt] : attempts_of(*record, found->second)) {
    const Grading& grading = *attempt.grading;
    auto result = read_json_report(grading.result, fmt::format("event {} of {}", grading.event, out));
    if (!result) return result.problem();
    std::string& started = result->nondeterministic.started_at;
    started = std::max(started, utc_time(attempt.handed_at));  // both are written alike
    history.gradings.push_back(std::move(*result));
  }
  return history;
}

/// Prints all labs, one line each.
void print_overview(const std::map<std::string, History>& labs) {
  std::size_t width = 0;
  for (const auto& [name, history] : labs) width = std::max(width, printable(name).size());
  for (const auto& [name, history] : labs) {
    const History whole = whole_ones(history);
    const GradeResult& last = whole.back();
    const auto best = std::ranges::max_element(whole, {}, &GradeResult::points);
    print_out("{}  {}  {}  {}\n", fmt::format("{:{}}", printable(name), width),
              local_time(last.nondeterministic.started_at),
              tr("{} of {} points, best {}, {}", human_points(last.points), human_points(last.max_points),
                 human_points(best->points), counted(history.size(), "grading")),
              curve(whole));
  }
}

}  // namespace

int history_command(const Arguments& arguments) {
  std::string lab, variant, out, student, last = "20";
  bool json = false;
  CommandLine line("grader history", "grader history [LAB [VARIANT]] [OPTIONS]",
                   "Shows your gradings on this machine: the points, and what changed from one to the next.");
  line.positional("LAB", lab, "The lab, for example lab3 [all, a line each]");
  line.positional("VARIANT", variant, "Its variant, for example variant4 [all of the lab]");
  line.option("--last", "N", last, "Number of gradings to show [20]");
  line.flag("--json", json, "Print all gradings as JSON for programs, and nothing else, to stdout");
  line.option("--class", "FOLDER", out,
              "For course staff: the gradings of one student, from the folder of `grader batch --out`");
  line.option("--student", "ID", student, "The student's ID, as in gradebook.csv");
  line.footer(
      "Examples:\n  grader history                          every lab, a line each\n"
      "  grader history lab3 variant4            one variant, grading by grading\n"
      "  grader history --class lab3 --student 4711\n\n"
      "Gradings are recorded in ~/.local/state/cuda-labs/history.jsonl (XDG_STATE_HOME), of which you may "
      "remove\n"
      "what you like. CUDA_LABS_HISTORY=off records none; nor does a grading where CI is set.\n");
  if (auto status = line.parse(arguments)) return *status;
  const std::size_t most = parse_number<std::size_t>(last).value_or(0);
  if (most == 0) return report_error(error(msg::not_a_number_from("--last", 1, last)), kUsage);
  if (out.empty() != student.empty() || (!out.empty() && !lab.empty())) {
    return report_error(
        error(msg::class_and_student(), msg::for_example("grader history --class lab3 --student 4711")),
        kUsage);
  }
  if (!out.empty()) {
    const auto history = of_student(out, student);
    if (!history) return report_error(history.problem(), kUsage);
    if (json)
      write_out(steady_json(json_of(history->gradings).dump(2)) + "\n");
    else if (history->gradings.empty())
      print_out("no submission of {} has been graded\n", printable(student));
    else
      print_history(student, history->gradings, most);
    if (!json)
      for (const Message& withdrawn : history->withdrawn) print_out("{}\n", printable(rendered(withdrawn)));
    return kPassed;
  }

  auto all = remembered();
  if (!all) return report_error(all.problem(), kCouldNotGrade);
  if (const auto slash = lab.find('/'); slash != std::string::npos && variant.empty()) {
    variant = lab.substr(slash + 1);
    lab.resize(slash);
  }
  std::map<std::string, History> labs;
  History chosen;
  for (GradeResult& result : all->results) {
    if ((!lab.empty() && result.lab != lab) || (!variant.empty() && result.variant != variant)) continue;
    if (json)
      chosen.push_back(std::move(result));
    else
      labs[result.lab + " " + result.variant].push_back(std::move(result));
  }
  if (all->damaged > 0) log_progress(msg::history_lines_unreadable(all->file, all->damaged));
  if (json) {
    write_out(steady_json(json_of(chosen).dump(2)) + "\n");
  } else if (labs.empty()) {
    print_out(
        "No grading{} is recorded here. `grader LAB VARIANT` and `grader watch LAB VARIANT` add one "
        "each.\n",
        lab.empty() ? "" : " " + tr("of {}", printable(lab + (variant.empty() ? "" : " " + variant))));
  } else if (lab.empty()) {
    print_overview(labs);
  } else {
    bool first = true;
    for (const auto& [name, history] : labs) {
      if (!std::exchange(first, false)) print_out("\n");
      print_history(name, history, most);
    }
  }
  return kPassed;
}

}  // namespace cudalabs::cli
