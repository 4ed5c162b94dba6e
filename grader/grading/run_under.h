#pragma once
// Runs a submission on the GPU under an analysis tool, for --sanitize and --profile.

#include <functional>
#include <string>
#include <vector>

#include "grader/grading/grade.h"

namespace cudalabs {

struct ToolRun {
  std::string version;
  int status = 0;
};

/// Runs the timed case of each version on the GPU, each in its own device process that `tool` starts. `tool`
/// gives the command words for a version (DeviceOptions::tool); the tool writes to stderr. Returns the
/// versions that ran, with the tool's exit status. Errors as grade(), and no GPU.
Result<std::vector<ToolRun>> run_under(GradingContext& context, const GradeJob& job,
                                       const std::function<std::vector<std::string>(const Version&)>& tool,
                                       const Progress& progress);

}  // namespace cudalabs
