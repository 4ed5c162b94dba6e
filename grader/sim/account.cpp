#include "grader/sim/account.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "grader/sim/executable/source_place.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using Lines = std::map<std::pair<std::string, std::uint32_t>, Counters>;

/// Adds the issue of predicated instructions in warps in which no lane takes them: once for each execution of
/// their branch, except for lanes that reach it one after the other through the parts of `a && b`.
void add_skipped(const Executions& ran, std::vector<Counters>& sums, IssueCounts& issue) {
  const Program& program = *ran.program;
  for (const Hammock& hammock : program.hammocks) {
    const std::uint64_t branches = ran.warps[hammock.branch];
    for (std::uint32_t i = hammock.begin; i < hammock.end; ++i) {
      if (!program.code[i].counted) continue;
      const std::uint64_t skipped = branches - std::min(branches, ran.warps[i]);
      const ptx::Instruction& in = program.function->body[program.source[i]];
      sums[i].warp_instructions += skipped;
      issue.slots += skipped;
      if (in.space != ptx::Space::Shared) continue;
      const ptx::Access access = ptx::access_of(in);
      const bool part = program.wide_access(program.source[i]).part;
      if (access == ptx::Access::Load) {
        sums[i].source_shared_load_instructions += skipped;
        if (!part) sums[i].shared_load_instructions += skipped;
      } else if (access == ptx::Access::Store) {
        sums[i].source_shared_store_instructions += skipped;
        if (!part) sums[i].shared_store_instructions += skipped;
      }
    }
  }
}

/// For one instruction: good accesses of other instructions on its line do not compensate for bad ones.
std::uint64_t scattered(std::uint64_t sectors, std::uint64_t ideal) {
  return sectors >= 2 * ideal ? sectors - ideal : 0;
}

/// By instruction: is it a conditional branch of the machine code?
std::vector<bool> branches_of(const Program& program) {
  std::vector<bool> branches(program.code.size());
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const ptx::Instruction& in = program.function->body[program.source[i]];
    branches[i] = program.code[i].counted && in.op == ptx::Op::Bra && in.has_guard;
  }
  for (const Hammock& hammock : program.hammocks) branches[hammock.branch] = false;
  return branches;
}

void add_program(const Executions& ran, const CounterObserver& traffic, const std::vector<IssueCounts>& costs,
                 LaunchResult& result, Lines* lines) {
  const Program& program = *ran.program;
  std::vector<Counters> sums = traffic.of(program);
  sums.resize(program.code.size());
  const std::vector<bool> branches = branches_of(program);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!program.code[i].counted) continue;
    sums[i].warp_instructions += ran.warps[i];
    sums[i].thread_instructions += ran.warps[i] * kLanes - ran.idle_lanes[i];
    sums[i].divergent_branches += ran.divided[i];
    result.issue.add(costs[i], ran.warps[i]);
    Counters& c = sums[i];
    c.global_load_scattered_sectors = scattered(c.global_load_sectors - c.table_load_sectors,
                                                c.global_load_ideal_sectors - c.table_load_ideal_sectors);
    c.global_store_scattered_sectors = scattered(c.global_store_sectors, c.global_store_ideal_sectors);
    c.global_atomic_scattered_sectors =
        scattered(c.global_atomic_distinct_sectors, c.global_atomic_ideal_sectors);
    if (branches[i]) {
      c.branches += ran.warps[i];
      c.uniform_branches += ran.warps[i] - ran.divided[i];
    }
    if (program.code[i].flow == Flow::Barrier) sums[i].barriers += ran.warps[i];
    if (ptx::traits_of(program.function->body[program.source[i]].op).exchange)
      sums[i].warp_exchanges += ran.warps[i];
    if (ptx::is_barrier_arrival(program.function->body[program.source[i]]))
      sums[i].barrier_arrivals += ran.warps[i];
  }
  add_skipped(ran, sums, result.issue);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    result.counters += sums[i];
    if (lines == nullptr) continue;
    const SourcePlace place = source_place(program, static_cast<std::uint32_t>(i));
    (*lines)[{place.file, place.line}] += sums[i];
  }
}

}  // namespace

LaunchResult account(const LaunchEnd& end, const CounterObserver& traffic, const IssueOf& issue_of,
                     bool by_line) {
  LaunchResult result;
  result.fault = end.fault;
  result.lengths = end.lengths;
  result.shared_layouts = traffic.shared_layouts().counts();
  Lines lines;
  for (const Executions& ran : end.executions)
    add_program(ran, traffic, issue_of(*ran.program), result, by_line ? &lines : nullptr);
  for (auto& [place, counters] : lines) {
    if (place.second != 0 && counters != Counters{})
      result.lines.push_back({place.first, place.second, counters});
  }
  return result;
}

}  // namespace cudalabs::sim
