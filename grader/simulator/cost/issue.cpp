#include "grader/simulator/cost/issue.h"

#include <algorithm>
#include <map>
#include <utility>

#include "grader/simulator/hardware/dataflow.h"
#include "grader/simulator/hardware/machine_instructions.h"
#include "grader/simulator/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;

enum class Wait : std::uint8_t { Arithmetic, Shared, Memory };

/// What who needs its result waits for.
Wait wait_of(const Instruction& in) {
  const ptx::Access access = ptx::access_of(in);
  if ((access != ptx::Access::Load && access != ptx::Access::Atomic) || !ptx::writes_first(in))
    return Wait::Arithmetic;
  switch (in.space) {
    case ptx::Space::Param:
    case ptx::Space::Const: return Wait::Arithmetic;
    case ptx::Space::Shared: return Wait::Shared;
    default: return Wait::Memory;
  }
}

/// A chain's length in waits of each kind. Which of two is
/// longer is decided with the latencies of a usual card.
struct Chain {
  std::uint32_t arithmetic = 0, shared = 0, memory = 0;
  [[nodiscard]] std::uint32_t length() const { return arithmetic * 5 + shared * 25 + memory * 400; }
  /// What it has more than `other`, of each kind.
  [[nodiscard]] Chain beyond(const Chain& other) const {
    const auto more = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : 0; };
    return {more(arithmetic, other.arithmetic), more(shared, other.shared), more(memory, other.memory)};
  }
};

/// A function's instructions between two places where control flow meets or parts. What ptxas predicates
/// parts nothing: independent loads under conditions of their own wait together.
class IssueCosts {
 public:
  explicit IssueCosts(const Program& program)
      : body_(program.function->body),
        flow_(*program.function),
        costs_(body_.size()),
        condition_(body_.size(), kNone),
        predicated_(body_.size()) {
    find_conditions(program);
    std::vector<bool> begins(body_.size() + 1), parts(body_.size() + 1);
    for (std::uint32_t i = 0; i < body_.size(); ++i) {
      const Instruction& in = body_[i];
      costs_[i].slots = issue_slots(in);
      if (in.type() == ptx::Type::F64 && ptx::traits_of(in.op).fp64) costs_[i].doubles = costs_[i].slots;
      if (in.op != Op::Bra && in.op != Op::Call && !ptx::is_barrier(in.op)) continue;
      const auto mark = [&](std::vector<bool>& places) {
        places[i + 1] = true;
        if (in.op == Op::Bra && in.operands[0].label < places.size()) places[in.operands[0].label] = true;
      };
      mark(begins);
      if (!predicated_[i]) mark(parts);
    }
    each_piece(begins, [&](std::uint32_t first, std::uint32_t end) { merge_loads(first, end); });
    each_piece(parts, [&](std::uint32_t first, std::uint32_t end) { add_chain(first, end); });
  }

  [[nodiscard]] const IssueCounts& of(std::uint32_t instruction) const { return costs_[instruction]; }

 private:
  template <class Use>
  void each_piece(const std::vector<bool>& begins, const Use& use) const {
    for (std::uint32_t first = 0, i = 1; i <= body_.size(); ++i) {
      if (i < body_.size() && !begins[i]) continue;
      use(first, i);
      first = i;
    }
  }

  void find_conditions(const Program& program) {
    for (const Hammock& hammock : program.hammocks) {
      const std::uint32_t branch = program.source[hammock.branch];
      if (!body_[branch].has_guard) continue;
      predicated_[branch] = true;
      for (std::uint32_t i = hammock.begin; i < hammock.end; ++i)
        condition_[program.source[i]] = body_[branch].guard;
    }
  }

  /// Charges the longest chain of [first, end) that runs in any case to the first
  /// instruction, which is executed as often as all are; what a conditional body
  /// makes it longer by to that body: who skips it does not wait for it.
  void add_chain(std::uint32_t first, std::uint32_t end) {
    Chain longest;
    each_chain(first, end, false, [&](std::uint32_t, const Chain& chain) {
      if (chain.length() > longest.length()) longest = chain;
    });
    charge(first, longest);
    each_chain(first, end, true, [&](std::uint32_t i, const Chain& chain) {
      if (chain.length() <= longest.length()) return;
      charge(condition_[i] != kNone ? i : first, chain.beyond(longest));
      longest = chain;
    });
  }

  /// Calls visit(instruction, the chain that ends in it) for all
  /// of [first, end), or for those that are not under a condition.
  template <class Visit>
  void each_chain(std::uint32_t first, std::uint32_t end, bool conditional, const Visit& visit) const {
    std::map<std::uint32_t, Chain> ready;  // by register written here
    for (std::uint32_t i = first; i < end; ++i) {
      if (condition_[i] != kNone && !conditional) continue;
      const Instruction& in = body_[i];
      Chain chain;
      const auto read = [&](std::uint32_t reg) {
        const auto it = ready.find(reg);
        if (it != ready.end() && it->second.length() > chain.length()) chain = it->second;
      };
      if (condition_[i] != kNone) read(condition_[i]);
      for (const std::uint32_t reg : flow_.read[i]) read(reg);
      const std::uint32_t steps = std::min(issue_slots(in), 20u);
      switch (wait_of(in)) {
        case Wait::Arithmetic: chain.arithmetic += steps; break;
        case Wait::Shared: ++chain.shared; break;
        case Wait::Memory: ++chain.memory; break;
      }
      const bool may_not_write = in.has_guard || condition_[i] != kNone;
      for (const std::uint32_t reg : flow_.written[i]) {
        Chain& then = ready[reg];
        if (!may_not_write || chain.length() > then.length()) then = chain;
      }
      visit(i, chain);
    }
  }

  void charge(std::uint32_t instruction, const Chain& chain) {
    costs_[instruction].arithmetic_waits += chain.arithmetic;
    costs_[instruction].shared_waits += chain.shared;
    costs_[instruction].memory_waits += chain.memory;
  }

  /// ptxas reads neighbouring places with one instruction of up to 16 bytes if it can see that they are
  /// aligned. The wide load takes as many wavefronts as each of the narrow ones: lanes 16 bytes apart meet in
  /// a quarter of the banks anyway.
  void merge_loads(std::uint32_t first, std::uint32_t end) {
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t>
        groups;  // base and aligned offset -> loads
    for (std::uint32_t i = first; i < end; ++i) {
      const Instruction& in = body_[i];
      const ptx::Access access = ptx::access_of(in);
      if (access == ptx::Access::Store || access == ptx::Access::Atomic) groups.clear();
      if (in.op != Op::Ld || in.space != ptx::Space::Shared || in.has(Mod::Volatile) || in.has_guard)
        continue;
      const ptx::Operand& address = in.operands[1];
      if (!address.base_is_register || in.vector_width() != 1 || ptx::size_of(in.type()) < 4) continue;
      if (alignment(address.reg, 8) < 16) continue;
      std::uint32_t& loads = groups[{address.reg, address.offset >> 4}];
      if (loads++ == 0) continue;
      costs_[i].slots = 0;
      costs_[i].merged = 1;
    }
  }

  /// A power of two, 16 at most, that divides a register's value for sure.
  [[nodiscard]] std::uint32_t alignment(std::uint32_t reg, int depth) const {
    if (depth == 0 || flow_.writers[reg].size() != 1) return 1;
    const Instruction& in = body_[flow_.writers[reg].front()];
    const auto of = [&](std::size_t k) -> std::uint64_t {
      const ptx::Operand& operand = in.operands[k];
      if (operand.kind == ptx::OperandKind::Register) return alignment(operand.reg, depth - 1);
      if (operand.kind == ptx::OperandKind::Symbol) return 16;  // ptxas places whole arrays
      if (operand.kind != ptx::OperandKind::Immediate) return 1;
      return operand.bits == 0 ? 16 : operand.bits & (~operand.bits + 1);
    };
    std::uint64_t known = 1;
    switch (in.op) {
      case Op::Mov:
      case Op::Cvt:
      case Op::Cvta: known = of(1); break;
      case Op::Add:
      case Op::Sub: known = std::min(of(1), of(2)); break;
      case Op::And: known = std::max(of(1), of(2)); break;
      case Op::Mul: known = of(1) * of(2); break;
      case Op::Mad: known = std::min(of(1) * of(2), of(3)); break;
      case Op::Shl:
        if (in.operands[2].kind == ptx::OperandKind::Immediate)
          known = of(1) << std::min<std::uint64_t>(in.operands[2].bits, 4);
        break;
      default: break;
    }
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(known, 16));
  }

  const std::vector<Instruction>& body_;
  const Dataflow flow_;
  std::vector<IssueCounts> costs_;
  std::vector<std::uint32_t> condition_;  // of what ptxas predicates: the register
  std::vector<bool> predicated_;          // branches that ptxas leaves out
};

}  // namespace

std::vector<IssueCounts> issue_costs(const Program& program) {
  const IssueCosts by_source(program);
  std::vector<IssueCounts> costs(program.code.size());
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (program.code[i].counted) costs[i] = by_source.of(program.source[i]);
  }
  return costs;
}

}  // namespace cudalabs::sim
