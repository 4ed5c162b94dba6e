#pragma once
// The card as Markdown, for the summary of a GitHub step or a comment on a merge request.

#include <string>

#include "grader/report/formats.h"

namespace cudalabs {

/// Under 256 KiB, so that some labs fit into the one summary of a step (1024 KiB).
std::string markdown_report(const GradeResult& result);
std::string markdown_failure(const GradingFailure& failure);

}  // namespace cudalabs
