#pragma once
// How a submission stood at one time, and what differs at another.

#include <string>
#include <vector>

#include "grader/score/result.h"

namespace cudalabs::cli {

/// What one student had at one time; of a result by itself the name is empty.
struct Standing {
  double points = 0;
  std::string problem;  ///< why there is no result
  std::vector<VersionResult> versions;
};
/// Prints what differs, version by version and loss by loss; says whether anything does. `student` may be
/// empty, and who was not there is null.
bool print_difference(const std::string& student, const Standing* before, const Standing* after);

}  // namespace cudalabs::cli
