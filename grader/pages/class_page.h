#pragma once
// The page of a class: how a lab went for everybody who handed it in. Plain data in, one HTML page out that
// needs nothing else: no script, no font, no picture, no network.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/score/result.h"

namespace cudalabs {

/// Why a student lost points in one version. Those of one `key` are one finding of the class.
struct ClassFinding {
  std::string key;      ///< not shown; what the class page counts by
  std::string version;  ///< "padded"
  std::string part;     ///< as LostPoints::part
  double points = 0;    ///< that were lost
  Messages message, advice;
  std::string file;  ///< the place, where one is known: "row_max.cu", 93, and the text of that line
  int line = 0;
  std::string source_line;
};

/// What a student has for one version.
struct ClassScore {
  Verdict verdict = Verdict::NotGraded;
  double points = 0;
  double speedup = 0;  ///< over the reference; 0: not timed
};

struct ClassStudent {
  std::string id, name;            ///< the name may be empty
  double points = 0;               ///< that count: with lateness and points by hand
  std::string note;                ///< why `points` are not the sum of the versions; may be empty
  std::vector<ClassScore> scores;  ///< in the order of ClassPage::versions; empty: could not be graded
  std::vector<ClassFinding> findings;
  std::string problem;  ///< why there are no scores: a sentence without a final stop
};

struct ClassVersion {
  std::string name, title;
  double max_points = 0;
};

/// Students whose submissions have much in common.
struct ClassCopies {
  std::vector<std::string> members;  ///< ids
  double share = 0;                  ///< of the code that they have in common: 0 to 1
};

struct ClassPage {
  std::string lab, variant, title;
  std::string course;  ///< what the class is called; may be empty
  std::vector<ClassVersion> versions;
  std::vector<ClassStudent> students;
  std::vector<ClassCopies> copies;
  bool copies_compared = false;  ///< false: nobody looked for copies, so that none were found says nothing
  /// Neither names nor ids, nor copies, nor who could not be graded: for the class itself.
  bool anonymous = false;
  // How it was graded. What is empty is left out.
  std::string graded_at;  ///< UTC, ISO 8601: of the last grading
  std::string grader_version, compiler, device, profile;
  std::string seed;  ///< decimal
};

/// The scores and findings of a result. `result.source` gives the findings their
/// source lines, if it is there.
ClassStudent class_student(std::string id, std::string name, const GradeResult& result);

/// The whole document, UTF-8. Names and texts may be anything: they are escaped and cut to a bounded length,
/// so that a class of 1000 is below 3 MB.
std::string class_page(const ClassPage& page);

}  // namespace cudalabs
