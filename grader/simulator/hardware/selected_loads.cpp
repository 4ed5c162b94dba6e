#include "grader/simulator/hardware/selected_loads.h"

#include <algorithm>

#include "grader/simulator/hardware/dataflow.h"
#include "grader/simulator/ptx/cfg.h"
#include "grader/simulator/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using ptx::Instruction;
using ptx::Op;
using ptx::OperandKind;

bool is_register(const ptx::Operand& operand, std::uint32_t reg) {
  return operand.kind == OperandKind::Register && operand.reg == reg;
}

/// Makes one result of what it reads, in each lane by itself.
bool is_arithmetic(const Instruction& in) {
  const ptx::Traits& traits = ptx::traits_of(in.op);
  return ptx::access_of(in) == ptx::Access::None && !traits.varies && !traits.branched && !in.has_guard &&
         ptx::writes_first(in) && in.op != Op::Call && in.op != Op::Setp;
}

class Finder {
 public:
  explicit Finder(const ptx::Function& function)
      : body_(function.body), flow_(function), cfg_(ptx::build_cfg(function)), ways_in_(cfg_.blocks.size()) {
    for (std::uint32_t block = 0; block < cfg_.blocks.size(); ++block) {
      for (const std::uint32_t next : cfg_.blocks[block].successors) {
        if (next != cfg_.exit()) ways_in_[next].push_back(block);
      }
    }
  }

  [[nodiscard]] SelectedLoad find(std::uint32_t load) const {
    const Instruction& in = body_[load];
    if (ptx::access_of(in) != ptx::Access::Load || in.has_guard ||
        in.operands.front().kind != OperandKind::Register)
      return {};
    std::uint32_t at = load, reg = in.operands.front().reg;
    constexpr int kLongest = 8;
    for (int steps = 0; steps < kLongest; ++steps) {
      if (flow_.writers[reg].size() != 1 || flow_.readers[reg].size() != 1) return {};
      const std::uint32_t reader = flow_.readers[reg].front().instruction;
      if (reader <= at) return {};
      const Instruction& next = body_[reader];
      if (const SelectedLoad met = branched(load, reader); met.known) return met;
      if (next.op == Op::Selp) return selected(load, next, reg);
      if (!is_arithmetic(next) || next.operands.front().kind != OperandKind::Register) return {};
      at = reader;
      reg = next.operands.front().reg;
    }
    return {};
  }

 private:
  [[nodiscard]] SelectedLoad selected(std::uint32_t load, const Instruction& selp, std::uint32_t reg) const {
    const bool first = is_register(selp.operands[1], reg), second = is_register(selp.operands[2], reg);
    const ptx::Operand& predicate = selp.operands[3];
    if (first == second || selp.has_guard || predicate.kind != OperandKind::Register || predicate.negated)
      return {};
    return kept_where(load, predicate.reg, first);
  }

  /// What stands under a branch between the load and `reader` is read by lanes that go there alone.
  [[nodiscard]] SelectedLoad branched(std::uint32_t load, std::uint32_t reader) const {
    constexpr int kFarthest = 8;
    std::uint32_t block = cfg_.block_of_instruction[reader];
    for (int hops = 0; hops < kFarthest && block != cfg_.block_of_instruction[load]; ++hops) {
      if (ways_in_[block].size() != 1) return {};
      const std::uint32_t before = ways_in_[block].front(), branch = cfg_.blocks[before].end - 1;
      const Instruction& in = body_[branch];
      if (branch <= load) return {};
      if (in.op == Op::Bra && in.has_guard && cfg_.blocks[before].successors.size() == 2) {
        const bool taken = cfg_.block_of_instruction[in.operands[0].label] == block;
        if (const SelectedLoad found = kept_where(load, in.guard, taken != in.guard_negated); found.known)
          return found;
      }
      block = before;
    }
    return {};
  }

  /// The value is kept where `predicate`, made by one instruction, is `when`.
  [[nodiscard]] SelectedLoad kept_where(std::uint32_t load, std::uint32_t predicate, bool when) const {
    if (flow_.writers[predicate].size() != 1) return {};
    const std::uint32_t writer = flow_.writers[predicate].front();
    if (writer < load) return {true, when, predicate, false, 0};
    // Made only after the load, of what was there before: `t == 0`.
    const Instruction& setp = body_[writer];
    const bool equal = setp.has(ptx::Mod::Eq);
    if (setp.op != Op::Setp || !(equal || setp.has(ptx::Mod::Ne)) || setp.operands.size() != 3 ||
        setp.has_guard || ptx::size_of(setp.type()) != 4 || ptx::is_float(setp.type()))
      return {};
    const ptx::Operand &left = setp.operands[1], &right = setp.operands[2];
    const std::uint32_t made = flow_.only_writer(left);
    if (right.kind != OperandKind::Immediate || made == Dataflow::kNone || made > load) return {};
    return {true, when == equal, left.reg, true, static_cast<std::uint32_t>(right.bits)};
  }

  const std::vector<Instruction>& body_;
  Dataflow flow_;
  ptx::Cfg cfg_;
  std::vector<std::vector<std::uint32_t>> ways_in_;
};

}  // namespace

std::vector<SelectedLoad> selected_loads(const ptx::Function& function) {
  const std::vector<Instruction>& body = function.body;
  const auto chooses = [](const Instruction& in) {
    return in.op == Op::Selp || (in.op == Op::Bra && in.has_guard);
  };
  if (std::ranges::none_of(body, chooses)) return {};
  const Finder finder(function);
  std::vector<SelectedLoad> found(body.size());
  bool any = false;
  for (std::uint32_t i = 0; i < body.size(); ++i) {
    found[i] = finder.find(i);
    any |= found[i].known;
  }
  return any ? found : std::vector<SelectedLoad>{};
}

}  // namespace cudalabs::sim
