#pragma once
// What a student has in a class, beyond the result of one grading: the points that count and how they come
// about, and the attempts so far.

#include <cstdint>
#include <string>
#include <vector>

#include "grader/base/message.h"

namespace cudalabs {

struct Standing {
  struct Term {  ///< of the sum that makes the points
    double points = 0;
    Messages what;
  };
  struct Attempt {
    std::int64_t at = 0;  ///< of the hand-in, or of its record where that is unknown; seconds since 1970
    double points = 0;    ///< lateness included, points by hand and by place not
    Messages remark;      ///< lateness, or why there are no points
    bool graded = false;
    bool counts = false;
    bool zoneless = false;  ///< `at` is what a clock showed, as if in UTC
  };

  std::string lab, variant, title;
  std::string student;    ///< how the page names the student
  std::string pseudonym;  ///< on the class's leaderboard
  bool graded = false;
  double points = 0, max_points = 0;
  std::vector<Term> terms;
  std::vector<std::string> open;  ///< a line for each criterion that a person or the place in the class gives
  Messages problem;               ///< why nothing was graded
  std::vector<Attempt> attempts;  ///< in the order of the hand-ins
};

/// "2026-03-01 09:30 UTC"; of a time whose zone is not known without "UTC".
std::string time_words(std::int64_t at, bool zoneless = false);
/// "+5", "-10": of a sum.
std::string signed_points(double points);

}  // namespace cudalabs
