#pragma once
// What grades the sources of a work folder, one after the other, on one Bench.

#include <functional>
#include <optional>
#include <string>

#include "grader/batch/work_folder.h"
#include "grader/grade/bench.h"
#include "grader/support/result.h"

namespace cudalabs {

/// Grades what `next` names until it names nothing more; each result is written before `ended` hears of it. A
/// submission that the machine failed to grade has a result that says so. Errors: nothing can be graded here,
/// or no result can be written.
Result<void> work(Bench& bench, const WorkFolder& folder, const WorkOrder& order,
                  const std::function<std::optional<std::string>()>& next,
                  const std::function<void(const std::string& source)>& ended);

}  // namespace cudalabs
