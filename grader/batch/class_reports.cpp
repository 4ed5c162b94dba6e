#include "grader/batch/class_reports.h"

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <set>

#include "grader/batch/gradebook.h"
#include "grader/config/cache.h"
#include "grader/score/human.h"
#include "grader/support/text.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

Result<void> make_folder(const fs::path& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) return Diagnostic{{folder.string(), 0, 0}, "cannot be made: " + problem.message(), {}};
  return {};
}

/// Files of students who are no longer in the class.
void remove_others(const fs::path& folder, const std::set<std::string>& names) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    std::error_code busy;
    if (!names.contains(entry.path().filename().string())) fs::remove(entry.path(), busy);
  }
}

std::string local_time(std::int64_t at) {
  const auto seconds = static_cast<std::time_t>(at);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts)};
}

}  // namespace

std::string file_name_of(const std::string& student) {
  std::string name;
  const bool utf8 = !first_invalid_utf8(student);
  for (const char c : student) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const bool other = (static_cast<unsigned char>(c) >= 0x80 && utf8) || c == '-' || c == '_' ||
                       (c == '.' && !name.empty());
    name += letter || other ? c : '_';
  }
  if (name == student && name.size() <= 100) return name;
  const std::array<std::string, 1> parts = {student};
  while (name.size() > 60 || first_invalid_utf8(name)) name.pop_back();  // whole letters
  return name + "-" + content_key(parts).substr(0, 8);
}

Result<void> write_reports(const ClassFolder& folder, const ClassRecord& record) {
  if (auto written = write_file_atomically(folder.path() / "gradebook.csv", csv_text(gradebook(record)));
      !written)
    return written;
  if (auto made = make_folder(folder.path() / "results"); !made) return made;
  std::set<std::string> names;
  for (const auto& [id, student] : record.students) {
    const Grade grade = grade_of(record, student);
    if (grade.grading == nullptr) continue;
    const std::string name = file_name_of(id) + ".json";
    names.insert(name);
    if (auto written = write_file_atomically(folder.path() / "results" / name, grade.grading->result);
        !written)
      return written;
  }
  remove_others(folder.path() / "results", names);
  return {};
}

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
    words[failure.event] = fmt::format("{} could not be graded: {}", owners[source], failure.reason);
  for (const auto& [id, one] : record->students) {
    for (const Handed& handed : one.hand_ins) {
      words[handed.event] = handed.problem.empty() ? fmt::format("{} handed in {}", id, handed.place)
                                                   : fmt::format("{}: {}", id, handed.problem);
    }
    for (const Adjustment& adjustment : one.adjustments) {
      words[adjustment.event] =
          fmt::format("{} {:+g} points by {}: {}{}", id, adjustment.points, adjustment.author,
                      adjustment.reason, adjustment.undone ? ", undone" : "");
    }
  }
  std::vector<std::string> lines;
  auto read = folder.journal().each(0, [&](const Event& event) -> Result<void> {
    if (!student.empty() && !subjects.contains(event.subject)) return {};
    const auto known = words.find(event.id);
    lines.push_back(fmt::format("{:>5}  {}  {}", event.id, local_time(event.at),
                                known != words.end() ? known->second : event.kind + " " + event.body));
    return {};
  });
  if (!read) return read.problem();
  return lines;
}

}  // namespace cudalabs
