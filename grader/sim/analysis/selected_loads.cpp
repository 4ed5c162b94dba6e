#include "grader/sim/analysis/selected_loads.h"

#include <algorithm>

#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/ptx/cfg.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using ptx::Instruction;
using ptx::Op;
using ptx::OperandKind;

bool is_register(const ptx::Operand& operand, std::uint32_t reg) {
  return operand.kind == OperandKind::Register && operand.reg == reg;
}

/// Computes one result from its operands, in each lane separately.
bool is_arithmetic(const Instruction& in) {
  const ptx::Traits& traits = ptx::traits_of(in.op);
  return ptx::access_of(in) == ptx::Access::None && !traits.varies && !traits.branched && !in.has_guard &&
         ptx::writes_first(in) && in.op != Op::Call && in.op != Op::Setp;
}

class SelectionFinder {
 public:
  explicit SelectionFinder(const ptx::Function& function)
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
    constexpr int kDeepest = 8;
    for (const Condition& condition : wanted_where(load, load, kDeepest)) {
      const SelectedLoad found = kept_where(load, condition.predicate, condition.when);
      if (found.known) return found;
    }
    return {};
  }

 private:
  /// A predicate of a lane, and its required value.
  struct Condition {
    std::uint32_t predicate = 0;
    bool when = true;
    bool operator==(const Condition&) const = default;
  };
  using Conditions = std::vector<Condition>;  ///< conjunction

  /// The conditions under which a lane uses the register written by `maker`. `load`: the origin of the value.
  [[nodiscard]] Conditions wanted_where(std::uint32_t load, std::uint32_t maker, int deep) const {
    const std::uint32_t reg = body_[maker].operands.front().reg;
    if (deep == 0) return {};
    Conditions all;
    bool first = true;
    for (const Dataflow::Reader& use : flow_.readers[reg]) {
      if (use.instruction <= maker) return {};
      if (is_of_another(use.instruction, reg, maker)) continue;
      const Conditions here = used_where(load, use.instruction, reg, deep);
      if (first)
        all = here;
      else
        std::erase_if(all, [&](const Condition& c) { return std::ranges::find(here, c) == here.end(); });
      first = false;
      if (all.empty()) break;
    }
    return all;
  }

  /// Does an instruction in the reader's own block overwrite the value before the reader?
  [[nodiscard]] bool is_of_another(std::uint32_t reader, std::uint32_t reg, std::uint32_t maker) const {
    const std::uint32_t begin = cfg_.blocks[cfg_.block_of_instruction[reader]].first;
    return std::ranges::any_of(flow_.writers[reg], [&](std::uint32_t writer) {
      return writer != maker && writer >= begin && writer < reader && writer > maker &&
             !body_[writer].has_guard;
    });
  }

  [[nodiscard]] Conditions used_where(std::uint32_t load, std::uint32_t reader, std::uint32_t reg,
                                      int deep) const {
    const Instruction& in = body_[reader];
    Conditions conditions = branched(load, reader);
    if (in.has_guard || in.operands.empty() || in.operands.front().kind != OperandKind::Register)
      return conditions;
    const auto add = [&](const Conditions& more) {
      conditions.insert(conditions.end(), more.begin(), more.end());
    };
    if (in.op == Op::Selp) {
      const bool first = is_register(in.operands[1], reg), second = is_register(in.operands[2], reg);
      const ptx::Operand& predicate = in.operands[3];
      if (first != second && predicate.kind == OperandKind::Register && predicate.reg != reg)
        add(implied({predicate.reg, first != predicate.negated}));
    }
    // The other operand of a logical operation matters only if this one does not determine the result.
    if ((in.op == Op::And || in.op == Op::Or) && in.type() == ptx::Type::Pred) {
      for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
        const ptx::Operand& other = in.operands[k];
        if (other.kind == OperandKind::Register && other.reg != reg)
          add(implied({other.reg, (in.op == Op::And) != other.negated}));
      }
    }
    if (in.op == Op::Setp ? in.operands.size() == 3 : is_arithmetic(in))
      add(wanted_where(load, reader, deep - 1));
    return conditions;
  }

  /// A condition, and those that it implies.
  [[nodiscard]] Conditions implied(const Condition& condition) const {
    Conditions all{condition};
    constexpr std::size_t kMax = 16;
    for (std::size_t k = 0; k < all.size() && all.size() < kMax; ++k) {
      const auto [predicate, when] = all[k];
      if (flow_.writers[predicate].size() != 1) continue;
      const Instruction& in = body_[flow_.writers[predicate].front()];
      const bool both = (in.op == Op::And && when) || (in.op == Op::Or && !when);
      if (in.has_guard || !(both || in.op == Op::Not) || in.type() != ptx::Type::Pred) continue;
      for (std::size_t o = 1; o < in.operands.size(); ++o) {
        const ptx::Operand& operand = in.operands[o];
        if (operand.kind == OperandKind::Register)
          all.push_back({operand.reg, (in.op == Op::Not ? !when : when) != operand.negated});
      }
    }
    return all;
  }

  /// Code under a branch between the load and `reader` only runs in the lanes that go there.
  [[nodiscard]] Conditions branched(std::uint32_t load, std::uint32_t reader) const {
    constexpr int kFarthest = 8;
    Conditions all;
    std::uint32_t block = cfg_.block_of_instruction[reader];
    for (int hops = 0; hops < kFarthest && block != cfg_.block_of_instruction[load]; ++hops) {
      if (ways_in_[block].size() != 1) return all;
      const std::uint32_t before = ways_in_[block].front(), branch = cfg_.blocks[before].end - 1;
      const Instruction& in = body_[branch];
      if (branch <= load) return all;
      if (in.op == Op::Bra && in.has_guard && cfg_.blocks[before].successors.size() == 2) {
        const bool taken = cfg_.block_of_instruction[in.operands[0].label] == block;
        const Conditions more = implied({in.guard, taken != in.guard_negated});
        all.insert(all.end(), more.begin(), more.end());
      }
      block = before;
    }
    return all;
  }

  /// Does a register hold at instruction `at` what it held at the load, which comes before it on every way?
  /// It may be written elsewhere: `i += blockDim.x` after the branch.
  [[nodiscard]] bool keeps(std::uint32_t reg, std::uint32_t load, std::uint32_t at) const {
    constexpr int kFarthest = 8;
    const std::uint32_t loads = cfg_.block_of_instruction[load];
    std::uint32_t block = cfg_.block_of_instruction[at], end = at;
    for (int hops = 0; hops < kFarthest; ++hops) {
      const std::uint32_t begin = block == loads ? load + 1 : cfg_.blocks[block].first;
      if (std::ranges::any_of(flow_.writers[reg], [&](std::uint32_t w) { return begin <= w && w < end; }))
        return false;
      if (block == loads) return begin <= end;
      if (ways_in_[block].size() != 1) return false;
      block = ways_in_[block].front();
      end = cfg_.blocks[block].end;
    }
    return false;
  }

  /// The value is used where `predicate`, written by a single instruction, is `when`.
  [[nodiscard]] SelectedLoad kept_where(std::uint32_t load, std::uint32_t predicate, bool when) const {
    if (flow_.writers[predicate].size() != 1) return {};
    const std::uint32_t writer = flow_.writers[predicate].front();
    if (writer < load) return {true, when, predicate, false, 0};
    // It is computed after the load, from earlier values: `t == 0`.
    const Instruction& setp = body_[writer];
    const bool equal = setp.has(ptx::Mod::Eq);
    if (setp.op != Op::Setp || !(equal || setp.has(ptx::Mod::Ne)) || setp.operands.size() != 3 ||
        setp.has_guard || ptx::size_of(setp.type()) != 4 || ptx::is_float(setp.type()))
      return {};
    const ptx::Operand &left = setp.operands[1], &right = setp.operands[2];
    if (right.kind != OperandKind::Immediate || left.kind != OperandKind::Register) return {};
    const std::uint32_t made = flow_.only_writer(left);
    if ((made == Dataflow::kNone || made > load) && !keeps(left.reg, load, writer)) return {};
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
  const SelectionFinder finder(function);
  std::vector<SelectedLoad> found(body.size());
  bool any = false;
  for (std::uint32_t i = 0; i < body.size(); ++i) {
    found[i] = finder.find(i);
    any |= found[i].known;
  }
  return any ? found : std::vector<SelectedLoad>{};
}

}  // namespace cudalabs::sim
