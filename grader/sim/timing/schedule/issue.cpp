#include "grader/sim/timing/schedule/issue.h"

#include "grader/sim/analysis/machine_instructions.h"

namespace cudalabs::sim {

std::vector<IssueCounts> issue_costs(const Program& program) {
  std::vector<IssueCounts> costs(program.code.size());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (!program.code[i].counted) continue;
    const std::uint32_t source = program.source[i];
    if (program.wide_access(source).part)
      costs[i].merged = 1;
    else if (source < program.function->body.size())
      costs[i].slots = issue_slots(program.function->body[source]);
  }
  return costs;
}

}  // namespace cudalabs::sim
