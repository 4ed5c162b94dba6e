#pragma once
// Grades the sources of a work folder, one after another, on one GradingContext.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/classroom/work_folder.h"
#include "grader/grading/grading_context.h"

namespace cudalabs {

/// Grades the sources that `next` returns until it returns none. Each result is written before `ended` is
/// called. If the machine fails to grade a submission, its result says so. Errors: grading is impossible
/// here, or a result cannot be written.
Result<void> work(GradingContext& context, const WorkFolder& folder, const WorkOrder& order,
                  const std::function<std::optional<std::string>()>& next,
                  const std::function<void(const std::string& source)>& ended);

/// The environment for a worker: ours, with the log that we write.
std::vector<std::string> worker_environment();

}  // namespace cudalabs
