#include "grader/classroom/class_reports.h"

#include <fmt/format.h>

#include <ctime>
#include <map>
#include <set>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/classroom/class_record.h"
#include "grader/classroom/gradebook.h"
#include "grader/classroom/intake/utf8_name.h"
#include "grader/present/csv.h"

namespace cudalabs {
namespace {

/// What a hand-in is worth at once, because the same files had been graded before.
std::string known_points(const ClassRecord& record, const Handed& handed) {
  const auto gradings = record.gradings.find(handed.source);
  if (gradings == record.gradings.end()) return {};
  const Grading* known = nullptr;
  for (const Grading& grading : gradings->second)
    if (!grading.undone && grading.event < handed.event) known = &grading;
  if (known == nullptr) return {};
  return fmt::format(": {}/{}, as these files were graded in event {}", human_points(known->points),
                     human_points(known->max_points), known->event);
}

std::string local_time(std::int64_t at) {
  const auto seconds = static_cast<std::time_t>(at);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts)};
}

}  // namespace

Result<std::vector<std::string>> journal_lines(ClassFolder& folder, const std::string& student) {
  auto record = read_record(folder.journal());
  if (!record) return record.problem();
  // What the events may be about, and from which event on: a source is the student's since the hand-in.
  std::map<std::string, std::int64_t> subjects = {{student, 0}};
  if (const auto found = record->students.find(student); found != record->students.end()) {
    for (const Handed& handed : found->second.hand_ins) subjects.emplace(handed.source, handed.event);
  }
  // The students who had handed in a source before an event.
  const auto owners = [&record](const std::string& source, std::int64_t until) {
    std::vector<std::string> ids;
    for (const auto& [id, one] : record->students) {
      const auto has_it = [&](const Handed& handed) {
        return handed.source == source && handed.event < until;
      };
      if (std::ranges::any_of(one.hand_ins, has_it)) ids.push_back(id);
    }
    return fmt::format("{}", fmt::join(ids, ", "));
  };
  std::map<std::int64_t, std::string> words;
  for (const RunRecord& run : record->runs) words[run.event] = fmt::format("{} (seed {})", run.why, run.seed);
  for (const auto& [source, gradings] : record->gradings) {
    for (const Grading& grading : gradings) {
      words[grading.event] =
          fmt::format("{} graded: {}/{}{}", owners(source, grading.event), human_points(grading.points),
                      human_points(grading.max_points), grading.undone ? ", undone" : "");
    }
  }
  for (const auto& [source, failure] : record->failures)
    words[failure.event] = fmt::format("{} could not be graded: {}", owners(source, failure.event),
                                       one_line(failure.reason.english()));
  for (const auto& [id, one] : record->students) {
    for (const Handed& handed : one.hand_ins) {
      words[handed.event] =
          handed.problem.empty()
              ? fmt::format("{} handed in {}{}", id, handed.place, known_points(*record, handed))
              : fmt::format("{}: {}", id, one_line(handed.problem.english()));
    }
    for (const Adjustment& adjustment : one.adjustments) {
      std::string what;
      if (adjustment.withdraws)
        what = fmt::format(" withdrawn, with {:g} points", adjustment.points);
      else if (adjustment.points != 0 || adjustment.criteria.empty())
        what = fmt::format(" {:+g} points", adjustment.points);
      for (const auto& [name, points] : adjustment.criteria) what += fmt::format(" {}={:g}", name, points);
      words[adjustment.event] = fmt::format("{}{} by {}: {}{}", id, what, adjustment.author,
                                            adjustment.reason, adjustment.undone ? ", undone" : "");
    }
  }
  std::vector<std::string> lines;
  auto read = folder.journal().each(0, [&](const Event& event) -> Result<void> {
    const auto about = subjects.find(utf8_name(event.subject));
    if (!student.empty() && (about == subjects.end() || event.id < about->second)) return {};
    const auto known = words.find(event.id);
    lines.push_back(fmt::format("{:>5}  {}  {}", event.id, local_time(event.at),
                                known != words.end() ? known->second : event.kind + " " + event.body));
    return {};
  });
  if (!read) return read.problem();
  return lines;
}

}  // namespace cudalabs
