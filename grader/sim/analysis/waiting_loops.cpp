#include "grader/sim/analysis/waiting_loops.h"

#include <algorithm>
#include <cstdint>

#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using ptx::Access;
using ptx::Instruction;
using ptx::Op;

/// Steps of the search in one function. A kernel of thousands of lines takes a few hundred thousand. A
/// function that takes more is artificial, and none of its remaining loops is classified as waiting.
constexpr std::uint64_t kMaxSteps = std::uint64_t{1} << 24;

/// The analysis of a function's registers within one loop, and the steps left for all loops.
class Memory {
 public:
  enum class Verdict : std::uint8_t { Unknown, Open, Stays, Changes };
  explicit Memory(std::size_t registers) : verdicts_(registers), loops_(registers) {}

  void next_loop() { ++loop_; }
  Verdict& of(u32 reg) {
    if (loops_[reg] != loop_) verdicts_[reg] = Verdict::Unknown;
    loops_[reg] = loop_;
    return verdicts_[reg];
  }
  /// False if there are none left.
  bool step(std::uint64_t steps = 1) {
    left_ -= std::min(steps, left_);
    return left_ != 0;
  }

 private:
  std::vector<Verdict> verdicts_;
  std::vector<u32> loops_;  ///< by register: the loop of its verdict
  u32 loop_ = 0;
  std::uint64_t left_ = kMaxSteps;
};

/// A loop in the text: from the target of its branch to the branch.
class Loop {
 public:
  using Verdict = Memory::Verdict;

  Loop(const ptx::Function& function, const Dataflow& flow, Memory& memory, u32 first, u32 last)
      : function_(function), flow_(flow), memory_(memory), first_(first), last_(last) {
    memory_.next_loop();
  }

  /// True if the loop's end depends on anything that may change without the loop's own action: those
  /// instructions are marked in `polls`.
  [[nodiscard]] bool waits(std::vector<bool>& polls) const {
    bool any = false;
    for (u32 i = first_; i <= last_ && memory_.step(); ++i) {
      const Instruction& in = function_.body[i];
      const bool ends =
          i == last_ || ptx::is_return(in.op) || (in.op == Op::Bra && !holds(in.operands[0].label));
      if (ends && in.has_guard && decided(in.guard, polls)) any = true;
    }
    return any;
  }

 private:
  [[nodiscard]] bool holds(u32 i) const { return i >= first_ && i <= last_; }

  /// True if the instruction does the same in each round, and may get another result.
  [[nodiscard]] bool asks_again(u32 i) const {
    const Instruction& in = function_.body[i];
    const bool looks = in.op == Op::Ld && ptx::is_strong(in) && in.space != ptx::Space::Local;
    if (!looks && in.op != Op::Atom) return false;
    return std::ranges::all_of(flow_.read[i], [&](u32 reg) { return stays(reg); });
  }

  /// Verdict by the instructions of the loop that write the register: there is none, or a single one that
  /// computes the same from the same inputs, which is returned in `maker`.
  [[nodiscard]] Verdict look(u32 reg, u32& maker) const {
    for (const u32 writer : flow_.writers[reg]) {
      if (!memory_.step()) return Verdict::Changes;
      if (!holds(writer)) continue;
      const Instruction& in = function_.body[writer];
      const bool param = in.op == Op::Ld && in.space == ptx::Space::Param;
      if (flow_.writers[reg].size() > 1 || (ptx::access_of(in) != Access::None && !param) ||
          ptx::traits_of(in.op).varies)
        return Verdict::Changes;
      maker = writer;
      return Verdict::Open;
    }
    return Verdict::Stays;
  }

  /// True if the register is the same in each round. Each register of a loop is examined once, and without
  /// recursion, because the program's author controls the depth.
  [[nodiscard]] bool stays(u32 asked) const {
    std::vector<std::pair<u32, u32>> path{{asked, 0}};  // registers that depend on the next, and writers
    while (!path.empty()) {
      auto& [reg, maker] = path.back();
      Verdict& verdict = memory_.of(reg);
      if (verdict == Verdict::Unknown) verdict = look(reg, maker);
      const std::vector<u32>* const from = verdict == Verdict::Open ? &flow_.read[maker] : nullptr;
      if (from != nullptr) {
        const auto unknown = std::ranges::find_if(
            *from, [&](u32 r) { return memory_.of(r) == Verdict::Unknown && memory_.step(); });
        if (unknown != from->end()) {
          path.emplace_back(*unknown, 0);
          continue;
        }
        // An open one depends on itself.
        verdict = std::ranges::all_of(*from, [&](u32 r) { return memory_.of(r) == Verdict::Stays; })
                      ? Verdict::Stays
                      : Verdict::Changes;
      }
      path.pop_back();
    }
    return memory_.of(asked) == Verdict::Stays;
  }

  /// Does the register depend on results of polling instructions of the loop, possibly through shared memory?
  bool decided(u32 reg, std::vector<bool>& polls) const {
    bool any = false;
    if (!memory_.step(flow_.writers.size() / 64)) return false;
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
        if (!memory_.step()) return any;
        if (!holds(writer)) continue;
        if (asks_again(writer)) polls[writer] = any = true;
        const Instruction& in = function_.body[writer];
        const Access access = ptx::access_of(in);
        if (access == Access::None) follow(writer);
        if (access != Access::Load || in.space != ptx::Space::Shared || stored) continue;
        stored = true;
        for (u32 i = first_; i <= last_ && memory_.step(); ++i) {
          const Instruction& store = function_.body[i];
          if (ptx::access_of(store) == Access::Store && store.space == ptx::Space::Shared) follow(i);
        }
      }
    }
    return any;
  }

  const ptx::Function& function_;
  const Dataflow& flow_;
  Memory& memory_;
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
  Memory memory(flow.writers.size());
  for (u32 i = 0; i < function.body.size() && memory.step(); ++i) {
    const Instruction& in = function.body[i];
    if (in.op == Op::Bra && in.operands[0].label <= i)
      loops.branches[i] = Loop(function, flow, memory, in.operands[0].label, i).waits(loops.polls);
  }
  return loops;
}

}  // namespace cudalabs::sim
