#include "grader/classroom/reports/student_feedback.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grader/diagnostics/messages/classroom.h"
#include "grader/present/formats/json_reader.h"
#include "grader/present/formats/mail_text.h"
#include "grader/present/web/pages/standing_page.h"
#include "grader/present/words.h"

namespace cudalabs {
namespace {

/// Lateness, and why there are no points.
Messages remark_on(const Grade& grade) {
  Messages remark = grade.problem;
  if (grade.grading != nullptr && grade.late.penalty > 0)
    remark.add(msg::late_by(static_cast<std::uint64_t>(grade.late.days), grade.late.penalty));
  return remark;
}

/// Why a person gave the points of a manual criterion that count.
std::string reason_of(const Student& student, const std::string& criterion) {
  std::string reason;
  for (const Adjustment& one : student.adjustments)
    if (!one.undone && one.criteria.contains(criterion)) reason = one.reason;
  return reason;
}

void add_adjustments(std::vector<Standing::Term>& terms, const Student& student, const Grade& grade) {
  for (const Adjustment& one : student.adjustments)
    if (is_added(grade, one)) terms.push_back({one.points, msg::points_for_reason(one.reason)});
}

std::vector<Standing::Term> terms_of(const Student& student, const Grade& grade) {
  std::vector<Standing::Term> terms;
  if (grade.withdrawn != nullptr) {
    terms.push_back({grade.withdrawn->points, withdrawal_note(grade)});
    add_adjustments(terms, student, grade);
    return terms;
  }
  if (grade.grading != nullptr) terms.push_back({grade.grading->points, msg::points_by_grader()});
  for (const GivenPoints& one : grade.given) {
    if (!one.points) continue;
    if (one.open.by == OpenPoints::By::Rank) {
      terms.push_back({*one.points, msg::points_of_place(one.place)});
      continue;
    }
    const std::string title = title_of(one.open.titles);
    terms.push_back({*one.points, msg::points_for(title.empty() ? one.open.name : title,
                                                  reason_of(student, one.open.name))});
  }
  if (grade.late.penalty > 0)
    terms.push_back(
        {-grade.late.penalty, msg::points_for_lateness(static_cast<std::uint64_t>(grade.late.days))});
  add_adjustments(terms, student, grade);
  return terms;
}

}  // namespace

Standing standing_of(const ClassRecord& record, const Student& student, const std::string& pseudonym) {
  const Grade grade = grade_of(record, student);
  Standing standing;
  if (!record.runs.empty()) {
    standing.lab = record.runs.back().lab;
    standing.variant = record.runs.back().variant;
  }
  standing.student = record.names == NamesShown::Pseudonym ? pseudonym : student.name;
  standing.pseudonym = pseudonym;
  standing.graded = grade.scored();
  standing.points = grade.points;
  standing.max_points = grade.max_points;
  standing.terms = terms_of(student, grade);
  for (const GivenPoints& one : grade.given)
    standing.open.push_back(given_words(one.open, one.points, one.place));
  standing.problem = grade.problem;
  for (const Handed& handed : student.hand_ins) {
    const Grade attempt = grade_of_attempt(record, student, handed);
    Messages remark = remark_on(attempt);
    remark.add(handed.note);
    standing.attempts.push_back({handed_in_at(handed), attempt.points, std::move(remark),
                                 attempt.grading != nullptr, &handed == grade.handed,
                                 handed.time.at != 0 && handed.time.zoneless});
  }
  return standing;
}

Result<GradeResult> result_of(const Grading& grading) {
  return read_json_report(grading.result, fmt::format("event {} of the journal", grading.event));
}

Result<StudentFeedback> feedback_of(const ClassRecord& record, const Student& student,
                                    const std::string& pseudonym, const std::string& title) {
  Standing standing = standing_of(record, student, pseudonym);
  standing.title = title;
  const Grading* const grading = grade_of(record, student).grading;
  if (grading == nullptr) return StudentFeedback{standing_page(standing), mail_text(standing, nullptr)};
  const auto result = result_of(*grading);
  if (!result) return result.problem();
  return StudentFeedback{
      grading->page.empty() ? standing_page(standing) : with_standing(grading->page, standing),
      mail_text(standing, &*result)};
}

}  // namespace cudalabs
