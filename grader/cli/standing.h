#pragma once
// A submission's result at one time, and the differences between two times.

#include <string>
#include <vector>

#include "grader/grading/score/result.h"

namespace cudalabs::cli {

/// The result of one student at one time; for a single result file the name is empty.
struct Standing {
  double points = 0;
  Messages problem;  ///< why there is no result
  std::vector<VersionResult> versions;
};

/// The differences between two times. Causes are the paragraphs of the card (present/causes.h): one that only
/// fails another number of cases, or shows other values, is no difference.
struct Difference {
  std::string from, to;               ///< points, or why there are none
  std::vector<std::string> versions;  ///< "global  30 accepted -> 0 runtime error"
  struct CauseLine {
    std::string key;  ///< Cause::key
    std::string text;
  };
  std::vector<CauseLine> gone, fresh;

  [[nodiscard]] bool any() const;
};
/// Null means that the student did not exist then.
Difference difference(const Standing* before, const Standing* after);

/// Prints the versions and the causes of a difference, without its points. `shown_elsewhere`: the key of a
/// cause that is not printed here if it is new.
void print_changes(const Difference& difference, const std::string& shown_elsewhere = {});
/// Prints a difference and returns whether there is any. `title` may be empty; `note` stands behind the
/// points.
bool print_difference(const std::string& title, const Difference& difference, const std::string& note = {});

}  // namespace cudalabs::cli
