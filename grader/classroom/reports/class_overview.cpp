#include "grader/classroom/reports/class_overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grader/base/text.h"
#include "grader/classroom/conditions.h"
#include "grader/classroom/reports/class_files.h"
#include "grader/classroom/reports/student_feedback.h"
#include "grader/classroom/similarity/aligned_lines.h"
#include "grader/classroom/similarity/groups.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

/// Pages of two files side by side that a class gets at most: of students, and then with the reference too.
/// A class that knows the reference still gets those of students.
constexpr std::size_t kMaxPairPages = 200, kMaxPages = 300;
constexpr std::size_t kMaxPairsShown = 10;

/// Explains why a student's points differ from the sum of the versions.
Messages note_of(const Student& student, const Grade& grade) {
  Messages note = withdrawal_note(grade);
  if (grade.late.penalty > 0)
    note.add(msg::late_by(static_cast<std::uint64_t>(grade.late.days), grade.late.penalty));
  for (const Adjustment& one : student.adjustments)
    if (is_added(grade, one)) note.add(msg::adjusted_because(fmt::format("{:+g}", one.points), one.reason));
  for (const GivenPoints& one : grade.given)
    note.add(one.points ? msg::points_given(one.open.name, *one.points) : msg::points_open(one.open.name));
  return note;
}

class OverviewMaker {
 public:
  OverviewMaker(ClassFolder& folder, const ClassRecord& record,
                const std::map<std::string, std::string>& pseudonyms, const CourseFiles& course)
      : folder_(folder), record_(record), pseudonyms_(pseudonyms), course_(course) {}

  Result<ClassOverview> make() {
    for (const auto& [id, student] : record_.students)
      if (auto added = add(student); !added) return added.problem();
    ClassPage& page = all_.page;
    if (page.lab.empty() && !record_.runs.empty()) {
      page.lab = record_.runs.back().lab;
      page.variant = record_.runs.back().variant;
    }
    page.copies_compared = true;
    describe_conditions(page, record_, true);
    find_identical();
    find_copies();
    find_like_reference();
    return std::move(all_);
  }

 private:
  Result<void> add(const Student& student) {
    const Grade grade = grade_of(record_, student);
    ClassStudent row;
    const std::string name = student.name == student.id ? "" : student.name;
    if (grade.grading != nullptr) {
      auto graded = add_graded(student, grade, name);
      if (!graded) return graded.problem();
      row = std::move(*graded);
    } else {
      row.id = student.id;
      row.name = name;
      row.problem = grade.problem;
    }
    row.pseudonym = pseudonyms_.at(student.id);
    row.page = "feedback/" + address_of(file_name_of(student.id) + ".html");
    row.attempts = student.hand_ins.size();
    row.points = grade.points;
    row.note = note_of(student, grade);
    row.scored = grade.scored();
    row.withdrawn = grade.withdrawn != nullptr;
    all_.page.max_points = std::max(all_.page.max_points, grade.max_points);
    for (const Handed& handed : student.hand_ins) all_.page.hand_ins.push_back(handed_in_at(handed));
    all_.page.students.push_back(std::move(row));
    return {};
  }

  Result<ClassStudent> add_graded(const Student& student, const Grade& grade, const std::string& name) {
    auto result = result_of(*grade.grading);
    if (!result) return result.problem();
    auto submission = folder_.journal().source(grade.handed->source);
    if (!submission) return submission.problem();
    all_.sources[student.id] = submission->source.content;
    result->source = split_lines(submission->source.content);
    ClassStudent row = class_student(student.id, name, *result);
    for (std::size_t v = 0; v < std::min(row.scores.size(), grade.grading->versions.size()); ++v)
      row.scores[v].ranked = row.scores[v].ranked && is_ranked(student, grade.grading->versions[v]);
    describe(*result);
    if (auto prints = prints_of_line(grade.grading->fingerprints))
      entries_.push_back({student.id, std::move(*prints)});
    if (auto stub = prints_of_line(grade.grading->handed_out)) handed_out_ = std::move(*stub);
    if (auto reference = prints_of_line(grade.grading->reference)) reference_ = std::move(*reference);
    return row;
  }

  /// What the lab is, and how it was graded.
  void describe(const GradeResult& result) {
    ClassPage& page = all_.page;
    if (page.versions.empty()) {
      for (const VersionResult& version : result.versions)
        page.versions.push_back({version.name, version.title, version.max_points, version.bonus});
    }
    page.lab = result.lab;
    page.variant = result.variant;
    page.title = result.title;
    page.graded_at = std::max(page.graded_at, result.nondeterministic.started_at);
    page.grader_version = result.nondeterministic.grader_version;
    page.profile = result.profile.title;
  }

  void find_identical() {
    std::vector<std::string> ids;
    std::vector<std::string_view> texts;
    for (const auto& [id, source] : all_.sources) {
      ids.push_back(id);
      texts.push_back(source);
    }
    texts.push_back(course_.stub);
    for (const auto& group : equal_texts(texts)) {
      ClassIdentical identical;
      for (const std::size_t member : group) {
        if (member == ids.size())
          identical.handed_out = !course_.stub.empty();
        else
          identical.members.push_back(ids[member]);
      }
      if (identical.members.size() > 1 || identical.handed_out)
        all_.page.identical.push_back(std::move(identical));
    }
  }

  void find_like_reference() {
    for (const Likeness& one : entries_like(reference_, entries_, handed_out_))
      all_.page.like_reference.push_back(pair_of(entries_[one.entry].id, "", one.share));
  }

  /// Identical files of several students are separate entries.
  void find_copies() {
    for (const CopyGroup& group : groups_of(entries_, handed_out_).groups) {
      ClassCopies copies;
      for (const std::size_t member : group.members) copies.members.push_back(entries_[member].id);
      copies.share = group.share;
      for (const CopyPair& pair : group.pairs) {
        if (copies.pairs.size() == kMaxPairsShown) break;
        copies.pairs.push_back(pair_of(entries_[pair.first].id, entries_[pair.second].id, pair.share));
      }
      all_.page.copies.push_back(std::move(copies));
    }
  }

  /// With a page of both side by side, while there are not too many.
  ClassPair pair_of(const std::string& first, const std::string& second, double share) {
    ClassPair pair{first, second, share, {}};
    const bool has_both = all_.sources.contains(first) &&
                          (second.empty() ? !course_.reference.empty() : all_.sources.contains(second));
    if (!has_both || all_.comparisons.size() >= (second.empty() ? kMaxPages : kMaxPairPages)) return pair;
    const std::string file =
        file_name_of(second.empty() ? first + " reference" : first + " " + second) + ".html";
    all_.comparisons.push_back({first, second, share, file});
    pair.page = "similar/" + address_of(file);
    return pair;
  }

  ClassFolder& folder_;
  const ClassRecord& record_;
  const std::map<std::string, std::string>& pseudonyms_;
  const CourseFiles& course_;
  ClassOverview all_;
  std::vector<CopyEntry> entries_;
  Fingerprints handed_out_, reference_;
};

}  // namespace

void describe_conditions(ClassPage& page, const ClassRecord& record, bool with_students) {
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

Result<ClassOverview> class_overview(ClassFolder& folder, const ClassRecord& record,
                                     const std::map<std::string, std::string>& pseudonyms,
                                     const CourseFiles& course) {
  return OverviewMaker(folder, record, pseudonyms, course).make();
}

}  // namespace cudalabs
