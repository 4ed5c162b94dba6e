#include "grader/sim/lower/address_groups.h"

#include <algorithm>
#include <map>

namespace cudalabs::sim {
namespace {

/// True if `i` may write `slot`; every potential destination counts.
bool may_write(const Program& program, const Inst& i, std::uint32_t slot) {
  if (i.d == slot || i.b == slot || i.c == slot || i.extra == slot) return true;
  if (i.extra >= program.extras.size()) return false;
  const auto& slots = program.extras[i.extra];
  return std::find(slots.begin(), slots.end(), slot) != slots.end();
}

}  // namespace

void find_address_groups(Program& program) {
  // A run ends where lanes can join or leave, and where control can go elsewhere than to the next
  // instruction.
  std::vector<bool> starts_run(program.code.size() + 1);
  for (std::size_t k = 0; k < program.code.size(); ++k) {
    const Inst& i = program.code[k];
    if (i.flow > Flow::Checked) starts_run[k + 1] = true;
    if (i.flow == Flow::Branch) starts_run[i.target] = true;
  }
  for (const auto& table : program.branch_tables) {
    for (const std::uint32_t target : table) starts_run[target] = true;
  }
  std::map<std::pair<std::uint32_t, Handler>, std::uint32_t> leaders;  // by slot of the address, and handler
  for (std::uint32_t k = 0; k < program.code.size(); ++k) {
    Inst& i = program.code[k];
    if (starts_run[k] || i.flow > Flow::Checked) leaders.clear();
    if (i.shaped && i.guard == kNone) {
      const auto [leader, first] = leaders.try_emplace({i.a, i.full}, k);
      if (!first) i.leader = leader->second;
    }
    std::erase_if(leaders, [&](const auto& entry) { return may_write(program, i, entry.first.first); });
  }
}

}  // namespace cudalabs::sim
