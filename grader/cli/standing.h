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
/// Prints the differences by version and loss, and returns whether there are any. `student` may be empty;
/// null means that the student did not exist then.
bool print_difference(const std::string& student, const Standing* before, const Standing* after);

}  // namespace cudalabs::cli
