#pragma once
// The state of a class, computed from its journal: all submissions, their gradings, and the one that counts.
// A pure function of the events.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"
#include "grader/base/result.h"
#include "grader/classroom/intake/layouts.h"
#include "grader/classroom/journal.h"
#include "grader/classroom/late_rules.h"
#include "grader/grading/score/result.h"

namespace cudalabs {

/// One invocation of batch or regrade.
struct RunRecord {
  std::int64_t event = 0, at = 0;
  std::string lab, variant, course;
  std::string seed;                       ///< decimal
  std::string seed_policy;                ///< grading/cases/seed.h; empty: of an earlier grader
  std::string device, compiler, profile;  ///< as the option names spell them
  std::string lab_key;                    ///< identifies the lab, the compiler and the grader
  std::string grader;                     ///< version
  std::string why;                        ///< "first grading", "regrade: ..."
  std::string pseudonym_key{};            ///< as ClassRecord has it; earlier graders wrote none
};

struct VersionScore {
  std::string name, verdict;
  double points = 0, max_points = 0;
  double speedup = 0;  ///< relative to the reference; 0: not timed
  double time_ns = 0;  ///< of the timed case; 0: not timed
};

/// What a result depends on besides the submission and the lab.
struct Conditions {
  std::string compiler;  ///< "nvcc 13.0.88"
  std::string device;    ///< "simulator", or the card
  std::string profile;   ///< of the estimated card; empty: times were measured
  std::string seed_policy, seed;
};

/// One result of a source.
struct Grading {
  std::int64_t event = 0, at = 0;
  std::int64_t run = 0;               ///< the event of its run
  double points = 0, max_points = 0;  ///< by the grader; `points` holds the bonus
  std::vector<VersionScore> versions;
  std::string result;  ///< the document (docs/result_format.md)
  std::string page;    ///< as HTML; may be empty
  /// One line each (classroom/similarity/fingerprints.h), for the submission and the stub; may be empty.
  std::string fingerprints, handed_out;
  bool undone = false;
  double bonus_points = 0;  ///< of `points`
  std::vector<OpenPoints> open{};
  std::string reference{};  ///< the fingerprints of the reference solution; may be empty
  Conditions conditions{};
  std::vector<std::int64_t> undos{};  ///< the events that undid it or brought it back
};

struct Handed {
  std::int64_t event = 0, at = 0;
  std::string source;  ///< its hash; empty if there is a problem
  std::string place;
  Messages note, problem;
  HandInTime time{};
};

/// What a person decided about a student's points: points that are added, or a withdrawal, whose points
/// replace all that came before and which takes the student's place in the class.
struct Adjustment {
  std::int64_t event = 0, at = 0;
  double points = 0;
  std::string author, reason;
  std::map<std::string, double> criteria{};  ///< points of manual criteria; later ones replace them
  bool undone = false;
  bool withdraws = false;
  std::vector<std::int64_t> undos{};  ///< as of a Grading
};

struct Student {
  std::string id, name;
  std::vector<Handed> hand_ins;  ///< in the order in which they were recorded; at least one
  std::vector<Adjustment> adjustments;
};

struct Failure {
  std::int64_t event = 0, at = 0;
  Messages reason;
};

/// How a student's page and mail text name the student.
enum class NamesShown : std::uint8_t { Name, Pseudonym };
std::string_view spelling(NamesShown names);  ///< "name", "pseudonym"
/// None: there is no such choice.
std::optional<NamesShown> names_shown_of(std::string_view spelling);

struct ClassRecord {
  std::vector<RunRecord> runs;
  std::map<std::string, Student> students;               ///< by id
  std::map<std::string, std::vector<Grading>> gradings;  ///< by source, in order
  std::map<std::string, Failure> failures;               ///< by source; the last failure
  std::int64_t last_event = 0;
  LateRules late;
  std::string late_text;
  bool keep_highest = false;
  NamesShown names = NamesShown::Name;
  std::string pseudonym_key;                   ///< a secret, so that nobody can compute another's pseudonym
  std::map<std::string, std::int64_t> places;  ///< in a lab with a leaderboard, by student

  [[nodiscard]] const RunRecord* run(std::int64_t event) const;
};

/// Reads the whole journal. Errors: an unreadable file, or an event that this grader does not write.
Result<ClassRecord> read_record(Journal& journal);

/// Points that were open when the submission was graded.
struct GivenPoints {
  OpenPoints open;
  std::optional<double> points;  ///< none: still open
  std::int64_t place = 0;        ///< by rank; 0: no version is right
};

/// The grade that counts for a student.
struct Grade {
  const Handed* handed = nullptr;
  const Grading* grading = nullptr;  ///< null: see `problem`
  Lateness late;
  double adjusted = 0;   ///< manual adjustment; of a withdrawn student: since the withdrawal
  bool by_hand = false;  ///< a person gave points, maybe without a grading
  const Adjustment* withdrawn = nullptr;
  std::vector<GivenPoints> given;
  double points = 0;  ///< total, including lateness and manual adjustments; never below 0
  double max_points = 0;

  /// By the grader, a person and the place, before lateness and adjustments.
  [[nodiscard]] double earned() const;
  /// Returns whether `points` means something: a student without has an empty cell and no zero.
  [[nodiscard]] bool scored() const { return grading != nullptr || by_hand; }
  Messages problem;  ///< why there is no grading
};
/// Makes the best attempt count, or the last one.
void set_keep_highest(ClassRecord& record, bool highest);

/// `until`: considers only submissions, gradings and adjustments up to this event (0: all).
Grade grade_of(const ClassRecord& record, const Student& student, std::int64_t until = 0);

/// The grade of one hand-in by itself: without adjustments and the place in the class.
Grade grade_of_attempt(const ClassRecord& record, const Student& student, const Handed& handed);

/// May this version of a student have a place on a leaderboard? Only accepted work may. The class's pages and
/// the points by rank both ask here.
bool is_ranked(const Student& student, const VersionScore& version, std::int64_t until = 0);
/// Returns whether an adjustment adds points to a grade: it counts, and no withdrawal came after it.
bool is_added(const Grade& grade, const Adjustment& adjustment, std::int64_t until = 0);

/// Returns whether a hand-in has the same files as the one before, or the same reason for having none.
bool is_same_work(const Handed& before, const std::string& source, const Messages& problem);

/// When it was handed in, as far as that is known, else when it was recorded.
std::int64_t handed_in_at(const Handed& handed);

/// What a withdrawal says, for a person; empty if there is none.
Messages withdrawal_note(const Grade& grade);

/// The manual criteria of the class's lab, as its last grading has them; empty before the first one.
std::vector<OpenPoints> manual_criteria(const ClassRecord& record);

/// The error for a student who does not exist; suggests similar names.
Diagnostic unknown_student(const ClassRecord& record, const std::string& student);

/// The sources that count for a student and have no grading yet, without duplicates, in the order of the
/// students.
std::vector<std::string> ungraded(const ClassRecord& record);

/// The bodies of events, in the format that read_record reads.
std::string body_of(const RunRecord& run);
std::string body_of(const HandIn& handed, const std::string& source);
std::string body_of(const Adjustment& adjustment);
std::string failure_body(std::int64_t run, const Messages& reason);
std::string late_rules_body(const std::string& yaml);
std::string keep_highest_body(bool highest);
std::string names_body(NamesShown names);
std::string pseudonym_key_body(const std::string& key);
std::string undone_body(std::int64_t event);

/// Returns whether the event is a grading, an adjustment or a withdrawal.
bool can_be_undone(const ClassRecord& record, std::int64_t event);

}  // namespace cudalabs
