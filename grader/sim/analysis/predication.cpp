#include "grader/sim/analysis/predication.h"

#include <algorithm>
#include <optional>

#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/analysis/machine_instructions.h"
#include "grader/sim/analysis/predication_costs.h"
#include "grader/sim/ptx/cfg.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using ptx::Instruction;
using ptx::Op;
using ptx::Space;

// The limits of docs/counters.md, in machine instructions.
constexpr std::uint32_t kLimit = 8, kUniformLimit = 6, kLoadLimit = 20;
constexpr std::uint32_t kBetweenConditions = 5;  // for `a && b`: the cost of b, including its comparison
constexpr std::size_t kLongestChain = 8;         // conditions joined by &&

/// May an instruction be predicated at all?
bool may_be_predicated(const Instruction& in) { return !ptx::traits_of(in.op).branched && !is_routine(in); }

bool is_global_load(const Instruction& in) {
  return ptx::access_of(in) == ptx::Access::Load && (in.space == Space::Global || in.space == Space::Generic);
}

/// A condition and the code that it guards. `chain`: the blocks that compute the condition, one except for `a
/// && b`. `sides`: the candidates for predication, each only if those before it are predicated.
struct Conditional {
  struct Side {
    std::uint32_t block = 0;
    std::uint32_t next = 0;     // its successor
    bool ends_in_jump = false;  // machine code contains that jump, too
  };
  std::vector<std::uint32_t> chain;
  std::vector<Side> sides;
};

class BranchFinder {
 public:
  explicit BranchFinder(const ptx::Function& function)
      : function_(function),
        body_(function.body),
        flow_(function),
        cfg_(ptx::build_cfg(function)),
        costs_(function, flow_),
        predecessors_(cfg_.blocks.size()) {
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
      for (const std::uint32_t s : cfg_.blocks[b].successors) {
        if (s != cfg_.exit()) predecessors_[s].push_back(b);
      }
    }
  }

  std::vector<PredicatedBody> run() {
    std::vector<Conditional> found;
    std::vector<bool> chained(cfg_.blocks.size());
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
      if (chained[b] || !is_condition(b)) continue;
      Conditional c = conditional(b);
      for (const std::uint32_t link : c.chain) chained[link] = true;
      if (!c.sides.empty()) found.push_back(std::move(c));
    }
    std::vector<ConditionalRange> ranges;
    for (const Conditional& c : found) {
      for (const std::uint32_t link : c.chain) {
        for (const Conditional::Side& side : c.sides) {
          ranges.push_back({last(link).guard, cfg_.blocks[side.block].first, cfg_.blocks[side.block].end});
        }
      }
    }
    uniform_ = block_uniform(function_, flow_, ranges);
    std::vector<PredicatedBody> bodies;
    for (const Conditional& c : found) {
      const bool uniform = std::all_of(c.chain.begin(), c.chain.end(),
                                       [&](std::uint32_t link) { return uniform_[last(link).guard]; });
      const std::uint32_t branch = cfg_.blocks[c.chain.front()].end - 1;
      for (const Conditional::Side& side : c.sides) {
        if (!is_predicated(side, uniform)) break;
        if (&side == &c.sides.front()) {
          for (std::size_t k = 1; k < c.chain.size(); ++k) add(bodies, branch, c.chain[k]);
        }
        add(bodies, branch, side.block);
      }
    }
    return bodies;
  }

 private:
  [[nodiscard]] const Instruction& last(std::uint32_t block) const {
    return body_[cfg_.blocks[block].end - 1];
  }
  [[nodiscard]] bool is_condition(std::uint32_t block) const {
    return last(block).op == Op::Bra && last(block).has_guard && cfg_.blocks[block].successors.size() == 2 &&
           fallthrough(block) < cfg_.exit();
  }
  [[nodiscard]] std::uint32_t fallthrough(std::uint32_t block) const { return block + 1; }
  [[nodiscard]] std::uint32_t target(std::uint32_t block) const {
    return cfg_.block_of_instruction[last(block).operands[0].label];
  }
  /// The actual target of a way into `block`, past blocks that only contain a jump. Skipped blocks that can
  /// only be entered from `ways` are added to `ways`.
  std::uint32_t through_jumps(std::uint32_t block, std::vector<std::uint32_t>* ways = nullptr) const {
    for (int hops = 0; hops < 4 && block != cfg_.exit(); ++hops) {
      const ptx::BasicBlock& b = cfg_.blocks[block];
      if (b.end - b.first != 1 || body_[b.first].op != Op::Bra || body_[b.first].has_guard) break;
      if (ways != nullptr && entered_only_from(block, *ways)) ways->push_back(block);
      block = b.successors[0];
    }
    return block;
  }
  [[nodiscard]] bool entered_only_from(std::uint32_t block, const std::vector<std::uint32_t>& from) const {
    return std::all_of(predecessors_[block].begin(), predecessors_[block].end(),
                       [&](std::uint32_t p) { return std::find(from.begin(), from.end(), p) != from.end(); });
  }

  /// The successor of a block that is only entered from `ways`, if it has a single one behind the condition.
  [[nodiscard]] std::optional<std::uint32_t> end_of_side(std::uint32_t block,
                                                         const std::vector<std::uint32_t>& ways,
                                                         std::uint32_t condition) const {
    if (block == cfg_.exit() || !entered_only_from(block, ways)) return std::nullopt;
    if (cfg_.blocks[block].successors.size() != 1) return std::nullopt;
    if (ptx::leaves(last(block).op)) return std::nullopt;
    const std::uint32_t next = through_jumps(cfg_.blocks[block].successors[0]);
    if (next <= condition) return std::nullopt;
    return next;
  }

  /// Is `block` the arithmetic of `b` in `a && b`, and short?
  [[nodiscard]] bool continues(std::uint32_t block, std::uint32_t before, std::uint32_t skip) const {
    if (predecessors_[block].size() != 1 || predecessors_[block][0] != before || !is_condition(block))
      return false;
    if (through_jumps(target(block)) != skip) return false;
    const std::uint32_t first = cfg_.blocks[block].first, end = cfg_.blocks[block].end - 1;
    for (std::uint32_t i = first; i < end; ++i) {
      const Instruction& in = body_[i];
      const bool is_parameter = in.op == Op::Ld && in.space == Space::Param;
      if (ptx::access_of(in) != ptx::Access::None && !is_parameter) return false;
      if (ptx::is_barrier(in.op) || in.has_guard || !may_be_predicated(in)) return false;
    }
    return costs_.of(first, end) <= kBetweenConditions;
  }

  [[nodiscard]] Conditional conditional(std::uint32_t block) const {
    Conditional c;
    c.chain.push_back(block);
    const std::uint32_t skip = through_jumps(target(block));
    for (std::uint32_t next = fallthrough(block); continues(next, c.chain.back(), skip);
         next = fallthrough(next)) {
      c.chain.push_back(next);
      if (c.chain.size() == kLongestChain) break;
    }
    std::vector<std::uint32_t> ways = c.chain;
    const std::uint32_t inside = through_jumps(fallthrough(c.chain.back()), &ways);
    through_jumps(target(block), &ways);
    const auto then_end = end_of_side(inside, ways, c.chain.back());
    const auto else_end = end_of_side(skip, ways, c.chain.back());
    if (else_end == inside) {  // the body is at the branch target
      c.sides = {{skip, inside, false}};
    } else if (then_end == skip) {
      c.sides = {{inside, skip, false}};
    } else if (then_end && (ends_in_jump(inside) || then_end == else_end)) {
      // An if-else, or a body that leaves for another place: the code that runs if the branch is not taken
      // comes first.
      c.sides = {{inside, *then_end, true}};
      if (then_end == else_end) c.sides.push_back({skip, *else_end, false});
    }
    return c;
  }

  [[nodiscard]] bool ends_kernel(std::uint32_t block) const {
    if (block == cfg_.exit()) return true;
    const Instruction& in = body_[cfg_.blocks[block].first];
    return ptx::is_return(in.op) && !in.has_guard;
  }

  [[nodiscard]] bool ends_in_jump(std::uint32_t block) const { return last(block).op == Op::Bra; }

  [[nodiscard]] bool is_predicated(const Conditional::Side& side, bool uniform) const {
    if (ends_kernel(side.next)) return false;
    const ptx::BasicBlock& block = cfg_.blocks[side.block];
    bool loads = false;
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      const Instruction& in = body_[i];
      if (in.has_guard || !may_be_predicated(in)) return false;
      loads = loads || is_global_load(in);
    }
    const std::uint32_t limit = loads ? kLoadLimit : uniform ? kUniformLimit : kLimit;
    return costs_.of(block.first, block.end) + (side.ends_in_jump ? 1 : 0) <= limit;
  }

  /// The jump or branch at the end of a block is not predicated, but disappears.
  void add(std::vector<PredicatedBody>& bodies, std::uint32_t branch, std::uint32_t block) const {
    const std::uint32_t end = cfg_.blocks[block].end - (ends_in_jump(block) ? 1 : 0);
    if (end > cfg_.blocks[block].first) bodies.push_back({branch, cfg_.blocks[block].first, end});
  }

  const ptx::Function& function_;
  const std::vector<Instruction>& body_;
  const Dataflow flow_;
  const ptx::Cfg cfg_;
  const PredicationCosts costs_;
  std::vector<std::vector<std::uint32_t>> predecessors_;
  std::vector<bool> uniform_;
};

}  // namespace

std::vector<PredicatedBody> predicated_bodies(const ptx::Function& function) {
  if (function.body.empty()) return {};
  return BranchFinder(function).run();
}

}  // namespace cudalabs::sim
