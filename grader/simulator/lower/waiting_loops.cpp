#include "grader/simulator/lower/waiting_loops.h"

#include <algorithm>
#include <cstdint>

#include "grader/simulator/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using ptx::Access;
using ptx::Instruction;
using ptx::Op;

constexpr u32 kDeep = 16;  // instructions behind each other that make an address

/// A loop as it stands in the text: from what its branch goes back to, to the branch.
class Loop {
 public:
  Loop(const ptx::Function& function, const Dataflow& flow, u32 first, u32 last)
      : function_(function), flow_(flow), first_(first), last_(last) {}

  /// True if there is anything that decides when it ends and may come out otherwise without its own doing:
  /// that is left in `polls`.
  [[nodiscard]] bool waits(std::vector<bool>& polls) const {
    bool any = false;
    for (u32 i = first_; i <= last_; ++i) {
      const Instruction& in = function_.body[i];
      const bool ends =
          i == last_ || ptx::is_return(in.op) || (in.op == Op::Bra && !holds(in.operands[0].label));
      if (ends && in.has_guard && decided(in.guard, polls)) any = true;
    }
    return any;
  }

 private:
  [[nodiscard]] bool holds(u32 i) const { return i >= first_ && i <= last_; }

  /// Does the same as in the round before, and may get another answer.
  [[nodiscard]] bool asks_again(u32 i) const {
    const Instruction& in = function_.body[i];
    const bool looks = in.op == Op::Ld && ptx::is_strong(in) && in.space != ptx::Space::Local;
    if (!looks && in.op != Op::Atom) return false;
    return std::ranges::all_of(flow_.read[i], [&](u32 reg) { return stays(reg, kDeep); });
  }

  /// The register is the same in each round.
  [[nodiscard]] bool stays(u32 reg, u32 deep) const {
    for (const u32 writer : flow_.writers[reg]) {
      if (!holds(writer)) continue;
      const Instruction& in = function_.body[writer];
      const bool param = in.op == Op::Ld && in.space == ptx::Space::Param;
      if (deep == 0 || flow_.writers[reg].size() > 1 || (ptx::access_of(in) != Access::None && !param) ||
          ptx::traits_of(in.op).varies)
        return false;
      if (!std::ranges::all_of(flow_.read[writer], [&](u32 from) { return stays(from, deep - 1); }))
        return false;
    }
    return true;
  }

  /// Is the register made of what such instructions of the loop give? Through shared memory, too.
  bool decided(u32 reg, std::vector<bool>& polls) const {
    bool any = false;
    std::vector<bool> seen(flow_.writers.size());
    std::vector<u32> next{reg};
    seen[reg] = true;
    bool stored = false;
    const auto follow = [&](u32 i) {
      for (const u32 from : flow_.read[i]) {
        if (!seen[from]) next.push_back(from);
        seen[from] = true;
      }
    };
    while (!next.empty()) {
      const u32 at = next.back();
      next.pop_back();
      for (const u32 writer : flow_.writers[at]) {
        if (!holds(writer)) continue;
        if (asks_again(writer)) polls[writer] = any = true;
        const Instruction& in = function_.body[writer];
        const Access access = ptx::access_of(in);
        if (access == Access::None) follow(writer);
        if (access != Access::Load || in.space != ptx::Space::Shared || stored) continue;
        stored = true;
        for (u32 i = first_; i <= last_; ++i) {
          const Instruction& store = function_.body[i];
          if (ptx::access_of(store) == Access::Store && store.space == ptx::Space::Shared) follow(i);
        }
      }
    }
    return any;
  }

  const ptx::Function& function_;
  const Dataflow& flow_;
  u32 first_, last_;
};

}  // namespace

WaitingLoops waiting_loops(const ptx::Function& function, const Dataflow& flow) {
  WaitingLoops loops;
  loops.branches.resize(function.body.size());
  loops.polls.resize(function.body.size());
  const auto communicates = [](const Instruction& in) {
    return in.op == Op::Atom || (in.op == Op::Ld && ptx::is_strong(in));
  };
  if (std::ranges::none_of(function.body, communicates)) return loops;
  for (u32 i = 0; i < function.body.size(); ++i) {
    const Instruction& in = function.body[i];
    if (in.op == Op::Bra && in.operands[0].label <= i)
      loops.branches[i] = Loop(function, flow, in.operands[0].label, i).waits(loops.polls);
  }
  return loops;
}

}  // namespace cudalabs::sim
