#pragma once
// What a launch cost: how often instructions ran, times what one execution costs,
// beside the traffic that the counters' observer saw.

#include <functional>
#include <vector>

#include "grader/simulator/base/types.h"
#include "grader/simulator/observers/counters.h"
#include "grader/simulator/run/launch.h"

namespace cudalabs::sim {

/// By instruction of a program: what one execution costs (cost/issue.h).
using IssueOf = std::function<const std::vector<IssueCounts>&(const Program& program)>;

/// `by_line`: LaunchOptions::by_line.
LaunchResult account(const LaunchEnd& end, const CounterObserver& traffic, const IssueOf& issue_of,
                     bool by_line);

}  // namespace cudalabs::sim
