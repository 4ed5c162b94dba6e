#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "grader/base/human.h"
#include "grader/base/parse_number.h"
#include "grader/cli/commands/class_command.h"
#include "grader/cli/print.h"
#include "grader/cli/standing.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/present/formats/json_reader.h"

namespace cudalabs::cli {
namespace {

namespace fs = std::filesystem;

using Standings = std::map<std::string, Standing>;

Result<Standing> standing_of(const std::string& document, const std::string& shown) {
  auto result = read_json_report(document, shown);
  if (!result) return result.problem();
  return Standing{result->points, {}, std::move(result->versions)};
}

/// Reads a batch's folder, with the gradings up to an event (0: all).
Result<Standings> of_class(const std::string& folder, std::int64_t until) {
  auto opened = ClassFolder::open(folder, ClassFolder::Make::No);
  if (!opened) return opened.problem();
  auto record = read_record((*opened)->journal());
  if (!record) return record.problem();
  Standings all;
  for (const auto& [id, student] : record->students) {
    const Grade grade = grade_of(*record, student, until);
    Standing standing;
    if (!grade.scored()) standing.problem = grade.problem;
    if (grade.grading != nullptr) {
      auto read =
          standing_of(grade.grading->result, fmt::format("event {} of {}", grade.grading->event, folder));
      if (!read) return read.problem();
      standing = std::move(*read);
    }
    standing.points = grade.points;
    all[id] = std::move(standing);
  }
  return all;
}

/// Reads "FOLDER", "FOLDER@EVENT" or a result's file.
Result<Standings> read_standings(const std::string& word) {
  std::error_code ignored;
  if (fs::is_regular_file(word, ignored)) {
    auto text = read_file(word, kMaxJsonReport);
    if (!text) return text.problem();
    auto standing = standing_of(*text, word);
    if (!standing) return standing.problem();
    return Standings{{"", std::move(*standing)}};
  }
  const std::size_t at = word.rfind('@');
  if (at != std::string::npos && !fs::exists(word, ignored)) {
    const auto until = parse_number<std::int64_t>(std::string_view(word).substr(at + 1));
    if (!until || *until < 1)
      return error(msg::not_a_grading(word),
                   {msg::for_example("grader diff lab3@120 lab3"), msg::log_shows_events("lab3")});
    return of_class(word.substr(0, at), *until);
  }
  return of_class(word, 0);
}

}  // namespace

int diff_command(const Arguments& arguments) {
  std::string before, after;
  CommandLine line("grader diff", "grader diff BEFORE AFTER",
                   "Shows how two gradings of a class, or of one submission, differ.");
  line.positional("BEFORE", before,
                  "A batch's folder, FOLDER@EVENT for its state after that event, or a result's JSON");
  line.positional("AFTER", after, "The same");
  line.footer(
      "Examples:\n  grader diff lab3@120 lab3              since event 120 (`grader log lab3` shows them)\n"
      "  grader diff old.json new.json          two results of `grader LAB VARIANT --json`\n\n"
      "Exit status: 0 no difference, 1 differences.\n");
  if (auto status = line.parse(arguments)) return *status;
  if (before.empty() || after.empty()) {
    return report_error(
        error(msg::diff_needs_two(), msg::for_example("grader diff lab3@120 lab3, or two results' JSON")),
        kUsage);
  }
  const auto then = read_standings(before);
  if (!then) return report_error(then.problem(), kUsage);
  const auto now = read_standings(after);
  if (!now) return report_error(now.problem(), kUsage);
  std::set<std::string> students;
  for (const auto& [id, standing] : *then) students.insert(id);
  for (const auto& [id, standing] : *now) students.insert(id);
  std::size_t different = 0;
  for (const std::string& id : students) {
    const auto old = then->find(id), fresh = now->find(id);
    const Difference one = difference(old == then->end() ? nullptr : &old->second,
                                      fresh == now->end() ? nullptr : &fresh->second);
    different += print_difference(id, one) ? 1 : 0;
  }
  if (students.size() > 1) write_out(rendered(msg::students_differ(different, students.size())) + "\n");
  return different == 0 ? kPassed : kLostPoints;
}

}  // namespace cudalabs::cli
