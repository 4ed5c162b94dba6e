#include "grader/sim/lower/block_order.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "grader/sim/ptx/cfg.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using Blocks = std::vector<std::uint32_t>;

/// Maximum steps for each block to find the loops; more deeply nested code is not reordered.
constexpr std::size_t kSteps = 64;

bool is_jump(const ptx::Instruction& in) { return in.op == ptx::Op::Bra && !in.has_guard; }

/// The blocks of a function and their successors, past blocks that only contain a jump.
class BlockGraph {
 public:
  explicit BlockGraph(const ptx::Function& function) : function_(function), cfg_(ptx::build_cfg(function)) {
    after_.resize(size());
    for (std::uint32_t b = 0; b < size(); ++b) {
      const ptx::Instruction& end = last(b);
      const bool goes_on = !(is_jump(end) || (end.op == ptx::Op::BrxIdx && !end.has_guard) ||
                             (ptx::leaves(end.op) && !end.has_guard));
      Blocks next;
      if (end.op == ptx::Op::Bra) next.push_back(block_at(end.operands[0].label));
      if (end.op == ptx::Op::BrxIdx) {
        for (const std::uint32_t to : function.branch_targets[end.operands[1].symbol])
          next.push_back(block_at(to));
      }
      if (goes_on) next.push_back(b + 1);
      for (const std::uint32_t to : next) {
        const std::uint32_t place = end.op == ptx::Op::BrxIdx ? to : past_jumps(to);
        if (place >= size())
          runs_out_ = true;
        else if (std::ranges::find(after_[b], place) == after_[b].end())
          after_[b].push_back(place);
      }
    }
  }

  [[nodiscard]] std::uint32_t size() const { return cfg_.exit(); }
  /// The fall-through successor of a conditional branch comes last.
  [[nodiscard]] const Blocks& after(std::uint32_t block) const { return after_[block]; }
  [[nodiscard]] const ptx::BasicBlock& block(std::uint32_t block) const { return cfg_.blocks[block]; }
  [[nodiscard]] const ptx::Instruction& last(std::uint32_t block) const {
    return function_.body[cfg_.blocks[block].end - 1];
  }
  /// size() for the end of the function.
  [[nodiscard]] std::uint32_t block_at(std::uint32_t instruction) const {
    return cfg_.block_of_instruction[instruction];
  }
  [[nodiscard]] bool runs_out() const { return runs_out_; }
  /// The block that control reaches when it enters `block`.
  [[nodiscard]] std::uint32_t past_jumps(std::uint32_t block) const {
    for (int hops = 0; hops < 8 && block < size(); ++hops) {
      const ptx::BasicBlock& b = cfg_.blocks[block];
      if (b.end - b.first != 1 || !is_jump(last(block))) break;
      const std::uint32_t next = block_at(last(block).operands[0].label);
      if (next == block) break;
      block = next;
    }
    return block;
  }

 private:
  const ptx::Function& function_;
  const ptx::Cfg cfg_;
  std::vector<Blocks> after_;
  bool runs_out_ = false;
};

/// The loops of a flow: for each block, the header of its innermost loop.
class Loops {
 public:
  explicit Loops(const BlockGraph& flow) : flow_(flow), steps_left_(kSteps * (flow.size() + 1)) {
    number_blocks();
    known_ = find();
  }

  /// False if some loop has two entries, or the nesting is too deep.
  [[nodiscard]] bool known() const { return known_; }
  [[nodiscard]] bool reached(std::uint32_t block) const { return number_[block] != kNone; }
  [[nodiscard]] bool starts_loop(std::uint32_t block) const { return starts_[block]; }
  [[nodiscard]] bool closes_loop(std::uint32_t from, std::uint32_t to) const {
    return number_[to] <= number_[from] && number_[from] <= last_below_[to];
  }
  /// Header of the loop around this block; for a loop header, of the loop around that loop. kNone: no loop.
  [[nodiscard]] std::uint32_t around(std::uint32_t block) const { return around_[block]; }
  /// The same, but a loop header belongs to its own loop.
  [[nodiscard]] std::uint32_t of(std::uint32_t block) const {
    return starts_[block] ? block : around_[block];
  }

 private:
  /// Numbers blocks in depth-first order, and records the subtrees.
  void number_blocks() {
    const std::uint32_t size = flow_.size();
    number_.assign(size, kNone);
    last_below_.assign(size, 0);
    struct Visit {
      std::uint32_t block;
      std::size_t next;
    };
    std::vector<Visit> stack{{0, 0}};
    std::uint32_t count = 0;
    number_[0] = count++;
    met_.push_back(0);
    while (!stack.empty()) {
      Visit& visit = stack.back();
      const Blocks& after = flow_.after(visit.block);
      if (visit.next == after.size()) {
        last_below_[visit.block] = count - 1;
        stack.pop_back();
        continue;
      }
      const std::uint32_t to = after[visit.next++];
      if (number_[to] != kNone) continue;
      number_[to] = count++;
      met_.push_back(to);
      stack.push_back({to, 0});
    }
  }

  bool find() {
    const std::uint32_t size = flow_.size();
    starts_.assign(size, false);
    around_.assign(size, kNone);
    std::vector<Blocks> before(size), closing(size);
    for (const std::uint32_t from : met_) {
      for (const std::uint32_t to : flow_.after(from))
        (closes_loop(from, to) ? closing : before)[to].push_back(from);
    }
    Blocks seen(size, kNone);                 // by block: the loop whose traversal visited it
    for (const std::uint32_t first : met_) {  // outer loops before inner ones
      if (closing[first].empty()) continue;
      starts_[first] = true;
      seen[first] = first;
      Blocks walk;
      const auto add = [&](std::uint32_t block) {
        if (seen[block] == first) return;
        seen[block] = first;
        walk.push_back(block);
      };
      for (const std::uint32_t from : closing[first]) add(from);
      while (!walk.empty()) {
        const std::uint32_t block = walk.back();
        walk.pop_back();
        if (number_[block] < number_[first] || number_[block] > last_below_[first]) return false;
        if (steps_left_-- == 0) return false;
        around_[block] = first;
        for (const auto* ways : {&before[block], &closing[block]})
          for (const std::uint32_t from : *ways) add(from);
      }
    }
    return true;
  }

  const BlockGraph& flow_;
  std::size_t steps_left_;
  bool known_ = false;
  Blocks number_, last_below_, met_, around_;
  std::vector<bool> starts_;
};

/// All reachable blocks: each block after its predecessors, and each loop contiguous. If there is a choice,
/// the fall-through successor comes first.
std::optional<Blocks> ordered(const BlockGraph& flow, const Loops& loops) {
  const std::uint32_t size = flow.size();
  std::vector<Blocks> after_block(size), after_loop(size);
  Blocks waits_for(size, 0);
  std::uint32_t reached = 0;
  std::size_t steps = kSteps * (size + 1);
  for (std::uint32_t from = 0; from < size; ++from) {
    if (!loops.reached(from)) continue;
    ++reached;
    for (const std::uint32_t to : flow.after(from)) {
      if (loops.closes_loop(from, to)) continue;
      ++waits_for[to];
      // A block outside of a loop waits for all of the loop.
      const std::uint32_t level = loops.around(to);
      std::uint32_t loop = loops.of(from);
      if (loop == level) {
        after_block[from].push_back(to);
        continue;
      }
      while (loop != kNone && loops.around(loop) != level) {
        if (steps-- == 0) return std::nullopt;
        loop = loops.around(loop);
      }
      if (loop == kNone) return std::nullopt;
      after_loop[loop].push_back(to);
    }
  }
  struct Level {
    std::uint32_t loop;
    Blocks ready;
  };
  Blocks order;
  std::vector<Level> levels{{kNone, {0}}};
  const auto release = [&](const Blocks& blocks) {
    for (const std::uint32_t block : blocks) {
      if (--waits_for[block] == 0) levels.back().ready.push_back(block);
    }
  };
  while (!levels.empty()) {
    if (levels.back().ready.empty()) {
      const std::uint32_t loop = levels.back().loop;
      levels.pop_back();
      if (loop != kNone) release(after_loop[loop]);
      continue;
    }
    const std::uint32_t block = levels.back().ready.back();
    levels.back().ready.pop_back();
    order.push_back(block);
    if (loops.starts_loop(block)) levels.push_back({block, {}});
    release(after_block[block]);
  }
  if (order.size() != reached) return std::nullopt;
  return order;
}

/// Do all jumps go forward except those that close a loop, and is there no jump to the next block?
bool is_in_order(const BlockGraph& flow, const Loops& loops) {
  for (std::uint32_t from = 0; from < flow.size(); ++from) {
    if (is_jump(flow.last(from)) && flow.block_at(flow.last(from).operands[0].label) == from + 1)
      return false;
    if (!loops.reached(from)) continue;
    for (const std::uint32_t to : flow.after(from)) {
      if (to <= from && !loops.closes_loop(from, to)) return false;
    }
  }
  return true;
}

/// Rewrites the function's body in this order of its blocks.
class Rewriting {
 public:
  Rewriting(ptx::Function& function, const BlockGraph& flow) : function_(function), flow_(flow) {}

  void run(const Blocks& order) {
    starts_.assign(flow_.size(), kNone);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t block = order[i];
      starts_[block] = static_cast<std::uint32_t>(body_.size());
      copy(block, i + 1 < order.size() ? order[i + 1] : kNone);
    }
    for (const std::size_t at : jumps_) {
      std::uint32_t& label = body_[at].operands[0].label;
      label = starts_[label];
    }
    for (auto& table : function_.branch_targets) {
      for (std::uint32_t& target : table) {
        const std::uint32_t block = flow_.block_at(target);
        // 0: for an unused table.
        target = block < flow_.size() && starts_[block] != kNone ? starts_[block] : 0;
      }
    }
    function_.body = std::move(body_);
  }

 private:
  /// `next`: the block that follows.
  void copy(std::uint32_t block, std::uint32_t next) {
    const auto [first, end, successors] = flow_.block(block);
    const ptx::Instruction& last = function_.body[end - 1];
    const bool branches = last.op == ptx::Op::Bra;
    body_.insert(body_.end(), function_.body.begin() + first,
                 function_.body.begin() + end - (branches ? 1 : 0));
    if (!branches) {
      const bool goes_on = !(last.op == ptx::Op::BrxIdx || ptx::leaves(last.op)) || last.has_guard;
      if (goes_on) jump(last, flow_.past_jumps(block + 1), next);
      return;
    }
    const std::uint32_t taken = flow_.past_jumps(flow_.block_at(last.operands[0].label));
    if (is_jump(last)) return jump(last, taken, next);
    const std::uint32_t otherwise = flow_.past_jumps(block + 1);
    if (taken == otherwise) return jump(last, taken, next);
    const bool inverted = taken == next;
    ptx::Instruction branch = last;
    branch.guard_negated = last.guard_negated != inverted;
    add(std::move(branch), inverted ? otherwise : taken);
    if (!inverted) jump(last, otherwise, next);
  }

  void jump(const ptx::Instruction& from, std::uint32_t to, std::uint32_t next) {
    if (to == next) return;
    ptx::Instruction in;
    in.op = ptx::Op::Bra;
    in.mods = {ptx::Mod::Uni};
    in.operands.emplace_back().kind = ptx::OperandKind::Label;
    in.loc = from.loc;
    in.ptx_line = from.ptx_line;
    add(std::move(in), to);
  }

  void add(ptx::Instruction branch, std::uint32_t to) {
    branch.operands[0].label = to;  // a block number, until all blocks have their positions
    jumps_.push_back(body_.size());
    body_.push_back(std::move(branch));
  }

  ptx::Function& function_;
  const BlockGraph& flow_;
  std::vector<ptx::Instruction> body_;
  Blocks starts_;
  std::vector<std::size_t> jumps_;
};

}  // namespace

void order_blocks(ptx::Function& function) {
  if (function.body.empty()) return;
  const BlockGraph flow(function);
  if (flow.runs_out()) return;
  const Loops loops(flow);
  if (!loops.known() || is_in_order(flow, loops)) return;
  if (const auto order = ordered(flow, loops)) Rewriting(function, flow).run(*order);
}

}  // namespace cudalabs::sim
