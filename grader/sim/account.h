#pragma once
// The cost of a launch: execution counts times the cost of one execution, and the memory traffic that the
// counters' observer recorded.

#include <functional>
#include <vector>

#include "grader/sim/base/types.h"
#include "grader/sim/counters/counters.h"
#include "grader/sim/interpreter/launch.h"

namespace cudalabs::sim {

/// By instruction of a program: the cost of one execution (timing/schedule/issue.h).
using IssueOf = std::function<const std::vector<IssueCounts>&(const Program& program)>;

/// `by_line`: see LaunchOptions::by_line.
LaunchResult account(const LaunchEnd& end, const CounterObserver& traffic, const IssueOf& issue_of,
                     bool by_line);

}  // namespace cudalabs::sim
