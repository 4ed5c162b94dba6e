#pragma once
// What the journal comes to: who handed in what, how it was graded, and what counts now. A
// pure function of the events.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/batch/journal.h"
#include "grader/batch/late_rules.h"
#include "grader/batch/layouts.h"
#include "grader/support/result.h"

namespace cudalabs {

/// One invocation of batch or regrade.
struct RunRecord {
  std::int64_t event = 0, at = 0;
  std::string lab, variant, course;
  std::string seed;                       ///< decimal
  std::string device, compiler, profile;  ///< as the options name them
  std::string lab_key;                    ///< what the lab, the compiler and the grader were
  std::string grader;                     ///< version
  std::string why;                        ///< "first grading", "regrade: ..."
};

struct VersionScore {
  std::string name, verdict;
  double points = 0, max_points = 0;
  double speedup = 0;  ///< over the reference; 0: not timed
};

/// A result of a source.
struct Grading {
  std::int64_t event = 0, at = 0;
  std::int64_t run = 0;  ///< the event of its run
  double points = 0, max_points = 0;
  std::vector<VersionScore> versions;
  std::string result;  ///< the document (docs/result_format.md)
  std::string page;    ///< the same for a browser; may be empty
  /// A line each (copies/fingerprints.h), of it and of the stub; may be empty.
  std::string fingerprints, handed_out;
  bool undone = false;
};

struct Handed {
  std::int64_t event = 0, at = 0;
  std::string source;  ///< its hash; empty if there is a problem
  std::string place, note, problem;
  std::int64_t submitted_at = 0;
};

struct Adjustment {
  std::int64_t event = 0, at = 0;
  double points = 0;
  std::string author, reason;
  bool undone = false;
};

struct Student {
  std::string id, name;
  std::vector<Handed> hand_ins;  ///< in the order in which they were taken in; there is at least one
  std::vector<Adjustment> adjustments;
};

struct Failure {
  std::int64_t event = 0, at = 0;
  std::string reason;
};

struct ClassRecord {
  std::vector<RunRecord> runs;
  std::map<std::string, Student> students;               ///< by id
  std::map<std::string, std::vector<Grading>> gradings;  ///< by source, in order
  std::map<std::string, Failure> failures;               ///< by source, the last one
  std::int64_t last_event = 0;
  LateRules late;
  std::string late_text;
  bool keep_highest = false;

  [[nodiscard]] const RunRecord* run(std::int64_t event) const;
};

/// Reads all of it. Errors: the file, or an event that is not what this grader writes.
Result<ClassRecord> read_record(Journal& journal);

/// What is said of a submission that nobody tried to grade.
inline constexpr std::string_view kNotGradedYet = "not graded yet";

/// What counts for a student.
struct Grade {
  const Handed* handed = nullptr;
  const Grading* grading = nullptr;  ///< null: `problem` says why
  Lateness late;
  double adjusted = 0;  ///< points by hand
  double points = 0;    ///< of all, lateness and hand included; never below 0
  double max_points = 0;
  std::string problem;  ///< why there is no grading: a sentence without a final stop
};
/// `until`: with hand-ins, gradings and adjustments up to this event alone (0: all).
Grade grade_of(const ClassRecord& record, const Student& student, std::int64_t until = 0);

/// Why a command that was asked for this student does nothing; names who may be meant.
Diagnostic unknown_student(const ClassRecord& record, const std::string& student);

/// The sources that count for somebody and have no grading yet; each once, in the order of the students.
std::vector<std::string> ungraded(const ClassRecord& record);

/// The bodies of events, as read_record reads them.
std::string body_of(const RunRecord& run);
std::string body_of(const HandIn& handed, const std::string& source);
std::string body_of(const Adjustment& adjustment);
std::string late_rules_body(const std::string& yaml);
std::string keep_highest_body(bool highest);
std::string undone_body(std::int64_t event);

/// Is it a grading or an adjustment?
bool can_be_undone(const ClassRecord& record, std::int64_t event);

}  // namespace cudalabs
