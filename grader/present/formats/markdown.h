#pragma once
// The score card as Markdown, for the summary of a GitHub step or a comment on a merge request.

#include <string>

#include "grader/present/formats/formats.h"

namespace cudalabs {

/// Under 256 KiB, so that several labs fit into the summary of one step (1024 KiB).
std::string markdown_report(const GradeResult& result);
std::string markdown_failure(const GradingFailure& failure);

}  // namespace cudalabs
