#pragma once
// The page of a class: the results of a lab for all students who submitted. It turns plain data into one HTML
// page without fonts, images or network access. Its only script sorts and filters the table of students.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/grading/score/result.h"
#include "grader/present/criteria.h"

namespace cudalabs {

/// Why a student lost points: a cause, without what only follows from it. Equal keys make one finding of the
/// class.
struct ClassFinding {
  std::string key;                    ///< not shown; groups the findings on the class page
  std::vector<std::string> versions;  ///< "padded"
  std::string part;                   ///< as LostPoints::part
  double points = 0;                  ///< that were lost
  Messages message, advice;
  std::string file;  ///< the place, where one is known: "row_max.cu", 93, and the text of that line
  int line = 0;
  std::string source_line;
};

/// A student's result for one version.
struct ClassScore {
  Verdict verdict = Verdict::NotGraded;
  double points = 0;
  double speedup = 0;   ///< relative to the reference; 0: not timed
  bool ranked = false;  ///< may have a place on a leaderboard: accepted, and as the lab asks for it
  std::vector<JudgedCriterion> criteria{};
};

struct ClassStudent {
  std::string id, name;     ///< the name may be empty
  std::string pseudonym{};  ///< on the leaderboard
  std::string page{};       ///< the student's own page, as a relative address; empty: there is none
  std::size_t attempts = 0;
  double points = 0;               ///< the counted points, including lateness and manual adjustments
  Messages note;                   ///< why `points` are not the sum of the versions; may be empty
  std::vector<ClassScore> scores;  ///< in the order of ClassPage::versions; empty: not graded
  std::vector<ClassFinding> findings;
  Messages problem;        ///< why there are no scores
  bool scored = false;     ///< a person gave points, maybe without a grading
  bool withdrawn = false;  ///< the work does not count any more
};

struct ClassVersion {
  std::string name, title;
  double max_points = 0;
  bool bonus = false;  ///< its points count above the maximum
};

/// Two submissions that have much in common.
struct ClassPair {
  std::string first, second;  ///< ids; `second` is empty for the reference solution
  double share = 0;           ///< of the code in common: 0 to 1
  std::string page;           ///< both side by side, as a relative address; empty: there is none
};

/// Students whose submissions have much in common.
struct ClassCopies {
  std::vector<std::string> members;  ///< ids
  double share = 0;                  ///< share of the code in common: 0 to 1
  std::vector<ClassPair> pairs{};    ///< strongest first
};

/// Students with the same file.
struct ClassIdentical {
  std::vector<std::string> members;  ///< ids
  bool handed_out = false;           ///< it is the stub
};

struct ClassPage {
  std::string lab, variant, title;
  std::string course;     ///< name of the class; may be empty
  double max_points = 0;  ///< of the lab; 0: the versions' together
  std::vector<ClassVersion> versions;
  std::vector<ClassStudent> students;
  std::vector<ClassCopies> copies;
  std::vector<ClassIdentical> identical;
  std::vector<ClassPair> like_reference;
  std::vector<std::int64_t> hand_ins;  ///< times of all attempts of all students, seconds since 1970
  bool copies_compared = false;        ///< false: similarity was not checked, so an empty list says nothing
  /// A version for the class itself: pseudonyms in place of names and ids; without similar submissions and
  /// ungraded students, and without a line or text that fewer than kMinShared students have.
  bool anonymous = false;
  // How the class was graded. Empty fields are left out.
  std::string graded_at;  ///< UTC, ISO 8601: of the last grading
  std::string grader_version, compiler, device, profile;
  std::string seed, seed_policy;  ///< decimal; how it was chosen
  Messages differences;           ///< the results are of several compilers, ...: points are not comparable
};

inline constexpr std::size_t kMinShared = 3;

/// The scores and findings of a result. The findings contain source lines if `result.source` is set.
ClassStudent class_student(std::string id, std::string name, const GradeResult& result);

/// The whole document, UTF-8. Names and texts are untrusted: they are escaped and cut to a bounded length, so
/// that a class of 1000 stays below 3 MB.
std::string class_page(const ClassPage& page);

}  // namespace cudalabs
