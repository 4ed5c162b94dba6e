#pragma once
// A submission on the card under a tool that looks at what it does there, for --sanitize and --profile.

#include <functional>
#include <string>
#include <vector>

#include "grader/grade/grade.h"

namespace cudalabs {

struct ToolRun {
  std::string version;
  int status = 0;
};

/// Runs the timed case of each version on the card, each in a device process of its own that `tool` starts
/// (its words for a version: DeviceOptions::tool; it writes to stderr). The value is the versions that ran,
/// with the tool's exit status. Errors as grade(), and no GPU.
Result<std::vector<ToolRun>> run_under(Bench& bench, const GradeJob& job,
                                       const std::function<std::vector<std::string>(const Version&)>& tool,
                                       const Progress& progress);

}  // namespace cudalabs
