#include "grader/classroom/class_reports.h"

#include <fmt/format.h>

#include <ctime>
#include <map>
#include <set>

#include "grader/base/human.h"
#include "grader/classroom/class_record.h"
#include "grader/classroom/intake/utf8_name.h"
#include "grader/present/csv.h"

namespace cudalabs {
namespace {

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
  std::set<std::string> subjects = {student};
  if (const auto found = record->students.find(student); found != record->students.end()) {
    for (const Handed& handed : found->second.hand_ins) subjects.insert(handed.source);
  }
  std::map<std::string, std::string> owners;  // of sources, by name
  for (const auto& [id, one] : record->students) {
    for (const Handed& handed : one.hand_ins) {
      std::string& owner = owners[handed.source];
      if (owner.find(id) == std::string::npos) owner += (owner.empty() ? "" : ", ") + id;
    }
  }
  std::map<std::int64_t, std::string> words;
  for (const RunRecord& run : record->runs) words[run.event] = fmt::format("{} (seed {})", run.why, run.seed);
  for (const auto& [source, gradings] : record->gradings) {
    for (const Grading& grading : gradings) {
      words[grading.event] = fmt::format("{} graded: {}/{}{}", owners[source], human_points(grading.points),
                                         human_points(grading.max_points), grading.undone ? ", undone" : "");
    }
  }
  for (const auto& [source, failure] : record->failures)
    words[failure.event] =
        fmt::format("{} could not be graded: {}", owners[source], one_line(failure.reason.english()));
  for (const auto& [id, one] : record->students) {
    for (const Handed& handed : one.hand_ins) {
      words[handed.event] = handed.problem.empty()
                                ? fmt::format("{} handed in {}", id, handed.place)
                                : fmt::format("{}: {}", id, one_line(handed.problem.english()));
    }
    for (const Adjustment& adjustment : one.adjustments) {
      std::string what = adjustment.points != 0 || adjustment.criteria.empty()
                             ? fmt::format(" {:+g} points", adjustment.points)
                             : "";
      for (const auto& [name, points] : adjustment.criteria) what += fmt::format(" {}={:g}", name, points);
      words[adjustment.event] = fmt::format("{}{} by {}: {}{}", id, what, adjustment.author,
                                            adjustment.reason, adjustment.undone ? ", undone" : "");
    }
  }
  std::vector<std::string> lines;
  auto read = folder.journal().each(0, [&](const Event& event) -> Result<void> {
    if (!student.empty() && !subjects.contains(utf8_name(event.subject))) return {};
    const auto known = words.find(event.id);
    lines.push_back(fmt::format("{:>5}  {}  {}", event.id, local_time(event.at),
                                known != words.end() ? known->second : event.kind + " " + event.body));
    return {};
  });
  if (!read) return read.problem();
  return lines;
}

}  // namespace cudalabs
