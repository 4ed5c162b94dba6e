#pragma once
// What a student may want to know once nothing is left to mend: what each version's time goes to, what would
// make it faster, and in what it differs from the version before it.

#include <string>
#include <vector>

#include "grader/grading/score/result.h"

namespace cudalabs {

struct VersionLimit {
  std::string version;
  Message limit;     ///< the largest part of the estimated time
  Message next;      ///< what would make that part smaller; empty if the version after it says so, too
  Messages changes;  ///< against the version before it; empty for the first one
};

/// One for each version that was graded. Empty unless all of them have all their points and estimated times.
std::vector<VersionLimit> limits_of(const GradeResult& result);

}  // namespace cudalabs
