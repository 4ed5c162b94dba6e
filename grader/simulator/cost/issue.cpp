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

/// A function's instructions between two places where control flow meets or parts.
class IssueCosts {
 public:
  explicit IssueCosts(const Program& program)
      : body_(program.function->body), flow_(*program.function), costs_(body_.size()) {
    std::vector<bool> begins(body_.size() + 1);
    for (std::uint32_t i = 0; i < body_.size(); ++i) {
      const Instruction& in = body_[i];
      costs_[i].slots = issue_slots(in);
      if (in.op != Op::Bra && in.op != Op::Call && !ptx::is_barrier(in.op)) continue;
      begins[i + 1] = true;
      if (in.op == Op::Bra && in.operands[0].label < begins.size()) begins[in.operands[0].label] = true;
    }
    for (std::uint32_t first = 0, i = 1; i <= body_.size(); ++i) {
      if (i < body_.size() && !begins[i]) continue;
      merge_loads(first, i);
      first = i;
    }
  }

  [[nodiscard]] const IssueCounts& of(std::uint32_t instruction) const { return costs_[instruction]; }

 private:
  /// ptxas reads neighbouring places with one instruction of up to 16 bytes if it can see that they are
  /// aligned. The wide load takes as many wavefronts as each of the narrow ones: lanes 16 bytes apart meet in
  /// a quarter of the banks anyway.
  void merge_loads(std::uint32_t first, std::uint32_t end) {
    // Base and aligned offset -> loads.
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> groups;
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
