#pragma once
// The table of `--stats`.

#include <string>
#include <vector>

#include "grader/base/log/stats.h"

namespace cudalabs::cli {

/// A heading and a line for each step, in the form of ninja's -d stats.
std::string stats_table(const std::vector<logging::MetricRow>& rows);

}  // namespace cudalabs::cli
