#pragma once
// One case of each version that can be run, with the launches' figures by line, for `grader explain`.

#include <string>
#include <vector>

#include "grader/grade/grade.h"
#include "grader/score/evidence.h"

namespace cudalabs {

struct Trace {
  std::string compiler_output;  ///< if it did not compile
  /// of the versions asked for; where one was run, with that one case
  std::vector<VersionEvidence> versions;
};

/// `test`: the sizes and the distribution. Errors as grade().
Result<Trace> trace(Bench& bench, const GradeJob& job, const TestCase& test, const Progress& progress);

}  // namespace cudalabs
