#pragma once
// Runs one case of each version that can be run, and records the launches' figures by line, for `grader
// explain`.

#include <string>
#include <vector>

#include "grader/grading/grade.h"
#include "grader/grading/score/evidence.h"

namespace cudalabs {

struct Trace {
  Messages compiler_output;  ///< set if it did not compile
  std::string ptx;           ///< of the submission, if it compiled
  /// the requested versions; those that ran have only that one case
  std::vector<VersionEvidence> versions;
};

/// `test`: the sizes and the distribution. Errors as grade().
Result<Trace> trace(GradingContext& context, const GradeJob& job, const TestCase& test,
                    const Progress& progress);

}  // namespace cudalabs
