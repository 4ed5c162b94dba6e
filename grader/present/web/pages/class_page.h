#pragma once
// The page of a class: the results of a lab for all students who submitted. It turns plain data into one HTML
// page without scripts, fonts, images or network access.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/grading/score/result.h"

namespace cudalabs {

/// Why a student lost points in one version. Equal keys make one finding of the class.
struct ClassFinding {
  std::string key;      ///< not shown; groups the findings on the class page
  std::string version;  ///< "padded"
  std::string part;     ///< as LostPoints::part
  double points = 0;    ///< that were lost
  Messages message, advice;
  std::string file;  ///< the place, where one is known: "row_max.cu", 93, and the text of that line
  int line = 0;
  std::string source_line;
};

/// A student's result for one version.
struct ClassScore {
  Verdict verdict = Verdict::NotGraded;
  double points = 0;
  double speedup = 0;  ///< relative to the reference; 0: not timed
};

struct ClassStudent {
  std::string id, name;            ///< the name may be empty
  double points = 0;               ///< the counted points, including lateness and manual adjustments
  Messages note;                   ///< why `points` are not the sum of the versions; may be empty
  std::vector<ClassScore> scores;  ///< in the order of ClassPage::versions; empty: not graded
  std::vector<ClassFinding> findings;
  Messages problem;  ///< why there are no scores
};

struct ClassVersion {
  std::string name, title;
  double max_points = 0;
  bool bonus = false;  ///< its points count above the maximum
};

/// Students whose submissions have much in common.
struct ClassCopies {
  std::vector<std::string> members;  ///< ids
  double share = 0;                  ///< share of the code in common: 0 to 1
};

struct ClassPage {
  std::string lab, variant, title;
  std::string course;     ///< name of the class; may be empty
  double max_points = 0;  ///< of the lab; 0: the versions' together
  std::vector<ClassVersion> versions;
  std::vector<ClassStudent> students;
  std::vector<ClassCopies> copies;
  bool copies_compared = false;  ///< false: similarity was not checked, so an empty list says nothing
  /// A version for the class itself: without names, ids, similar submissions and ungraded students.
  bool anonymous = false;
  // How the class was graded. Empty fields are left out.
  std::string graded_at;  ///< UTC, ISO 8601: of the last grading
  std::string grader_version, compiler, device, profile;
  std::string seed, seed_policy;  ///< decimal; how it was chosen
  Messages differences;           ///< the results are of several compilers, ...: points are not comparable
};

/// The scores and findings of a result. The findings contain source lines if `result.source` is set.
ClassStudent class_student(std::string id, std::string name, const GradeResult& result);

/// The whole document, UTF-8. Names and texts are untrusted: they are escaped and cut to a bounded length, so
/// that a class of 1000 stays below 3 MB.
std::string class_page(const ClassPage& page);

}  // namespace cudalabs
