#include "grader/classroom/class_reports.h"

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <set>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/classroom/conditions.h"
#include "grader/classroom/gradebook.h"
#include "grader/classroom/intake/utf8_name.h"
#include "grader/classroom/similarity/groups.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/present/formats/json_reader.h"
#include "grader/present/web/pages/class_page.h"
#include "grader/present/web/pages/submission_page.h"
#include "grader/present/words.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

Result<void> make_folder(const fs::path& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) return Diagnostic{{folder.string(), 0, 0}, msg::cannot_be_made(problem.message()), {}};
  return {};
}

/// Removes the files of students who are no longer in the class.
void remove_others(const fs::path& folder, const std::set<std::string>& names) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    std::error_code busy;
    if (!names.contains(entry.path().filename().string())) fs::remove(entry.path(), busy);
  }
}

/// What became of the points that were open.
std::vector<std::string> given_lines(const Grade& grade) {
  std::vector<std::string> lines;
  for (const Message& withdrawn : withdrawal_note(grade)) lines.push_back(rendered(withdrawn));
  for (const GivenPoints& one : grade.given) lines.push_back(given_words(one.open, one.points, one.place));
  return lines;
}

/// Explains why a student's points differ from the sum of the versions.
Messages note_of(const Grade& grade) {
  Messages note = withdrawal_note(grade);
  if (grade.late.penalty > 0)
    note = msg::late_by(static_cast<std::uint64_t>(grade.late.days), grade.late.penalty);
  if (grade.adjusted != 0) note.add(msg::points_by_hand(fmt::format("{:+g}", grade.adjusted)));
  for (const GivenPoints& one : grade.given)
    note.add(one.points ? msg::points_given(one.open.name, *one.points) : msg::points_open(one.open.name));
  return note;
}

/// Groups of similar submissions. Identical sources of several students are separate entries.
std::vector<ClassCopies> copies_of(const ClassRecord& record) {
  std::vector<CopyEntry> entries;
  Fingerprints handed_out;
  for (const auto& [id, student] : record.students) {
    const Grade grade = grade_of(record, student);
    if (grade.grading == nullptr) continue;
    auto prints = prints_of_line(grade.grading->fingerprints);
    if (!prints) continue;
    entries.push_back({id, std::move(*prints)});
    if (auto stub = prints_of_line(grade.grading->handed_out)) handed_out = std::move(*stub);
  }
  std::vector<ClassCopies> groups;
  for (const CopyGroup& group : groups_of(entries, handed_out).groups) {
    ClassCopies copies;
    for (const std::size_t member : group.members) copies.members.push_back(entries[member].id);
    copies.share = group.share;
    groups.push_back(std::move(copies));
  }
  return groups;
}

/// How the class was graded: one value for all, or the values with those who have them.
void add_conditions(ClassPage& page, const ClassRecord& record, bool with_students) {
  using Kind = ConditionValues::Kind;
  const std::vector<ConditionValues> conditions = conditions_of(record);
  for (const ConditionValues& one : conditions) {
    if (one.kind == Kind::Compiler) page.compiler = one.text(with_students);
    if (one.kind == Kind::Device) page.device = one.text(with_students);
    if (one.kind == Kind::Profile && one.values.size() > 1) page.profile = one.text(with_students);
    if (one.kind == Kind::SeedPolicy) page.seed_policy = one.text(with_students);
    if (one.kind == Kind::Seed) page.seed = one.text(with_students);
  }
  page.differences = with_students ? differences_of(conditions) : Messages();
}

/// The contents of the class's page.
Result<ClassPage> class_page_of(ClassFolder& folder, const ClassRecord& record) {
  ClassPage page;
  for (const auto& [id, student] : record.students) {
    const Grade grade = grade_of(record, student);
    ClassStudent row;
    row.id = id;
    row.name = student.name == id ? "" : student.name;
    row.problem = grade.problem;
    if (grade.grading != nullptr) {
      auto result = read_json_report(grade.grading->result,
                                     fmt::format("event {} of the journal", grade.grading->event));
      if (!result) return result.problem();
      auto submission = folder.journal().source(grade.handed->source);
      if (!submission) return submission.problem();
      result->source = split_lines(submission->source.content);
      row = class_student(id, row.name, *result);
      if (page.versions.empty()) {
        for (const VersionResult& version : result->versions)
          page.versions.push_back({version.name, version.title, version.max_points, version.bonus});
      }
      page.lab = result->lab;
      page.variant = result->variant;
      page.title = result->title;
      page.graded_at = std::max(page.graded_at, result->nondeterministic.started_at);
      page.grader_version = result->nondeterministic.grader_version;
      page.profile = result->profile.title;
    }
    row.points = grade.points;
    page.max_points = std::max(page.max_points, grade.max_points);
    row.note = note_of(grade);
    page.students.push_back(std::move(row));
  }
  if (page.lab.empty() && !record.runs.empty()) {
    page.lab = record.runs.back().lab;
    page.variant = record.runs.back().variant;
  }
  add_conditions(page, record, true);
  page.copies = copies_of(record);
  page.copies_compared = true;
  return page;
}

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
  while (name.size() > 60 || first_invalid_utf8(name)) name.pop_back();  // only whole characters
  return name + "-" + content_key(parts).substr(0, 8);
}

Result<void> write_reports(ClassFolder& folder, const ClassRecord& record) {
  const fs::path& out = folder.path();
  if (auto written = write_file_atomically(out / "gradebook.csv", csv_text(gradebook(record))); !written)
    return written;
  auto page = class_page_of(folder, record);
  if (!page) return page.problem();
  if (auto written = write_file_atomically(out / "class.html", class_page(*page)); !written) return written;
  page->anonymous = true;
  add_conditions(*page, record, false);
  std::erase_if(page->students, [&record](const ClassStudent& row) {
    return grade_of(record, record.students.at(row.id)).withdrawn != nullptr;
  });
  if (auto written = write_file_atomically(out / "leaderboard.html", class_page(*page)); !written)
    return written;
  for (const char* part : {"results", "feedback"}) {
    if (auto made = make_folder(out / part); !made) return made;
  }
  std::set<std::string> results, pages;
  for (const auto& [id, student] : record.students) {
    const Grade grade = grade_of(record, student);
    if (grade.grading == nullptr) continue;
    const std::string result = file_name_of(id) + ".json", feedback = file_name_of(id) + ".html";
    results.insert(result);
    if (auto written = write_file_atomically(out / "results" / result, grade.grading->result); !written)
      return written;
    if (grade.grading->page.empty()) continue;
    pages.insert(feedback);
    if (auto written = write_file_atomically(out / "feedback" / feedback,
                                             with_given_points(grade.grading->page, given_lines(grade)));
        !written)
      return written;
  }
  remove_others(out / "results", results);
  remove_others(out / "feedback", pages);
  return {};
}

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
