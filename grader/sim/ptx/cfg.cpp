#include "grader/sim/ptx/cfg.h"

#include <algorithm>
#include <limits>

#include "grader/sim/ptx/traits.h"

namespace cudalabs::ptx {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

bool ends_block(Op op) { return leaves(op) || op == Op::Bra || op == Op::BrxIdx; }

/// Successors of a block's last instruction; the body's size represents the exit.
std::vector<std::uint32_t> next_instructions(const Function& function, std::uint32_t index) {
  const Instruction& last = function.body[index];
  const auto size = static_cast<std::uint32_t>(function.body.size());
  std::vector<std::uint32_t> next;
  if (last.op == Op::Bra) next.push_back(last.operands[0].label);
  if (last.op == Op::BrxIdx) next = function.branch_targets[last.operands[1].symbol];
  if (leaves(last.op)) next.push_back(size);
  if (!ends_block(last.op) || last.has_guard) next.push_back(index + 1);
  return next;
}

/// Immediate dominators of the reversed graph by Lengauer and Tarjan, without recursion: the bodies of
/// unrolled kernels are long, and malicious ones are deeply nested.
class PostDominators {
 public:
  PostDominators(const Cfg& cfg) : nodes_(cfg.exit() + 1) {
    backwards_.resize(nodes_);
    forwards_.resize(nodes_);
    for (std::uint32_t block = 0; block < cfg.exit(); ++block) {
      for (const std::uint32_t next : cfg.blocks[block].successors) add_edge(block, next);
    }
    number_.assign(nodes_, kNone);
    parent_.assign(nodes_, kNone);
    number_from(cfg.exit(), kNone);
    // A block that cannot reach the exit is in an endless loop: the loop's last block becomes an exit.
    for (std::uint32_t block = cfg.exit(); block-- > 0;) {
      if (number_[block] != kNone) continue;
      add_edge(block, cfg.exit());
      number_from(block, cfg.exit());
    }
  }

  std::vector<std::uint32_t> run() {
    semi_ = number_;
    ancestor_.assign(nodes_, kNone);
    best_.resize(nodes_);
    for (std::uint32_t node = 0; node < nodes_; ++node) best_[node] = node;
    std::vector<std::uint32_t> dominator(nodes_, kNone);
    std::vector<std::vector<std::uint32_t>> bucket(nodes_);
    for (std::uint32_t i = nodes_ - 1; i > 0; --i) {
      const std::uint32_t node = order_[i];
      for (const std::uint32_t before : forwards_[node]) {
        semi_[node] = std::min(semi_[node], semi_[evaluate(before)]);
      }
      bucket[order_[semi_[node]]].push_back(node);
      const std::uint32_t parent = parent_[node];
      ancestor_[node] = parent;
      for (const std::uint32_t waiting : bucket[parent]) {
        const std::uint32_t candidate = evaluate(waiting);
        dominator[waiting] = semi_[candidate] < semi_[waiting] ? candidate : parent;
      }
      bucket[parent].clear();
    }
    for (std::uint32_t i = 1; i < nodes_; ++i) {
      const std::uint32_t node = order_[i];
      if (dominator[node] != order_[semi_[node]]) dominator[node] = dominator[dominator[node]];
    }
    dominator.pop_back();  // the exit has none
    return dominator;
  }

 private:
  void add_edge(std::uint32_t from, std::uint32_t to) {
    forwards_[from].push_back(to);
    backwards_[to].push_back(from);
  }

  /// Depth-first numbering of the reversed graph.
  void number_from(std::uint32_t root, std::uint32_t parent) {
    struct Visit {
      std::uint32_t node, next;
    };
    const auto enter = [this](std::uint32_t node, std::uint32_t from) {
      number_[node] = static_cast<std::uint32_t>(order_.size());
      parent_[node] = from;
      order_.push_back(node);
    };
    enter(root, parent);
    std::vector<Visit> stack{{root, 0}};
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.next == backwards_[visit.node].size()) {
        stack.pop_back();
        continue;
      }
      const std::uint32_t node = backwards_[visit.node][visit.next++];
      if (number_[node] != kNone) continue;
      enter(node, visit.node);
      stack.push_back({node, 0});
    }
  }

  /// The node with the smallest semidominator on the path to the root of its tree; compresses the path.
  std::uint32_t evaluate(std::uint32_t node) {
    if (ancestor_[node] == kNone) return node;
    path_.clear();
    for (std::uint32_t at = node; ancestor_[ancestor_[at]] != kNone; at = ancestor_[at]) path_.push_back(at);
    for (std::size_t i = path_.size(); i-- > 0;) {
      const std::uint32_t at = path_[i], above = ancestor_[at];
      if (semi_[best_[above]] < semi_[best_[at]]) best_[at] = best_[above];
      ancestor_[at] = ancestor_[above];
    }
    return best_[node];
  }

  std::uint32_t nodes_;
  std::vector<std::vector<std::uint32_t>> forwards_, backwards_;
  std::vector<std::uint32_t> number_, parent_, order_;
  std::vector<std::uint32_t> semi_, ancestor_, best_, path_;
};

}  // namespace

Cfg build_cfg(const Function& function) {
  Cfg cfg;
  const auto size = static_cast<std::uint32_t>(function.body.size());
  std::vector<bool> starts(size + 1, false);
  for (std::uint32_t i = 0; i < size; ++i) {
    if (i == 0) starts[i] = true;
    if (!ends_block(function.body[i].op)) continue;
    starts[i + 1] = true;
    for (const std::uint32_t target : next_instructions(function, i)) starts[target] = true;
  }
  cfg.block_of_instruction.resize(size + 1);
  for (std::uint32_t i = 0; i < size; ++i) {
    if (starts[i]) cfg.blocks.push_back({i, i, {}});
    cfg.blocks.back().end = i + 1;
    cfg.block_of_instruction[i] = static_cast<std::uint32_t>(cfg.blocks.size() - 1);
  }
  cfg.block_of_instruction[size] = cfg.exit();
  for (BasicBlock& block : cfg.blocks) {
    for (const std::uint32_t next : next_instructions(function, block.end - 1))
      block.successors.push_back(cfg.block_of_instruction[next]);
    std::sort(block.successors.begin(), block.successors.end());
    block.successors.erase(std::unique(block.successors.begin(), block.successors.end()),
                           block.successors.end());
  }
  if (!cfg.blocks.empty()) cfg.ipdom = PostDominators(cfg).run();
  return cfg;
}

}  // namespace cudalabs::ptx
