#include "grader/sim/analysis/wide_accesses.h"

#include <algorithm>
#include <map>
#include <utility>

#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;

constexpr std::uint32_t kWidest = 16;

/// By register: a power of two, at most 16, that always divides its value.
std::vector<std::uint32_t> alignments(const ptx::Function& function, const Dataflow& flow) {
  std::vector<std::uint32_t> known(flow.writers.size(), kWidest);
  const auto of_operand = [&](const ptx::Operand& operand) -> std::uint64_t {
    if (operand.kind == ptx::OperandKind::Register) return known[operand.reg];
    if (operand.kind == ptx::OperandKind::Symbol) return kWidest;  // ptxas places whole arrays
    if (operand.kind != ptx::OperandKind::Immediate) return 1;
    return operand.bits == 0 ? kWidest : operand.bits & (~operand.bits + 1);
  };
  const auto of_result = [&](const Instruction& in) -> std::uint64_t {
    const auto of = [&](std::size_t k) { return of_operand(in.operands[k]); };
    switch (in.op) {
      case Op::Mov:
      case Op::Cvt:
      case Op::Cvta: return of(1);
      case Op::Add:
      case Op::Sub:
      case Op::Or:
      case Op::Xor:
      case Op::Selp: return std::min(of(1), of(2));
      case Op::And: return std::max(of(1), of(2));
      case Op::Mul: return of(1) * of(2);
      case Op::Mad: return std::min(of(1) * of(2), of(3));
      case Op::Shl: {
        const bool fixed = in.operands[2].kind == ptx::OperandKind::Immediate;
        return of(1) << (fixed ? std::min<std::uint64_t>(in.operands[2].bits, 4) : 0);
      }
      default: return 1;
    }
  };
  // A loop's address is aligned if its start and each step are.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t reg = 0; reg < known.size(); ++reg) {
      std::uint64_t least = flow.writers[reg].empty() ? 1 : kWidest;
      for (const std::uint32_t writer : flow.writers[reg])
        least = std::min(least, of_result(function.body[writer]));
      changed = changed || least < known[reg];
      known[reg] = static_cast<std::uint32_t>(std::min<std::uint64_t>(least, known[reg]));
    }
  }
  return known;
}

class WideFinder {
 public:
  explicit WideFinder(const ptx::Function& function)
      : body_(function.body), flow_(function), alignment_(alignments(function, flow_)), found_(body_.size()) {
    std::vector<bool> begins(body_.size() + 1);
    for (std::uint32_t i = 0; i < body_.size(); ++i) {
      const Instruction& in = body_[i];
      if (in.op != Op::Bra && in.op != Op::Call && !ptx::is_barrier(in.op)) continue;
      begins[i + 1] = true;
      if (in.op == Op::Bra && in.operands[0].label < begins.size()) begins[in.operands[0].label] = true;
    }
    for (std::uint32_t i = 0; i < body_.size(); ++i) {
      if (begins[i]) join();
      if (body_[i].space == ptx::Space::Shared || body_[i].space == ptx::Space::Generic) see(i);
    }
    join();
  }

  [[nodiscard]] std::vector<WideAccess> found() && {
    const bool any = std::ranges::any_of(found_, [](const WideAccess& access) { return access.width != 0; });
    return any ? std::move(found_) : std::vector<WideAccess>();
  }

 private:
  struct Member {
    std::uint32_t instruction = 0, first = 0, end = 0;  ///< range within the 16 bytes
  };
  struct Group {
    std::uint32_t aligned = 1;
    std::vector<Member> members;
  };

  /// Handles an access that may be to shared memory.
  void see(std::uint32_t i) {
    const Instruction& in = body_[i];
    const ptx::Access access = ptx::access_of(in);
    if (access == ptx::Access::None) return;
    const bool plain = (in.op == Op::Ld || in.op == Op::St) && in.space == ptx::Space::Shared &&
                       !in.has(Mod::Volatile) && !in.has_guard &&
                       in.operands[access == ptx::Access::Load ? 1 : 0].base_is_register;
    const std::uint32_t base = plain ? in.operands[access == ptx::Access::Load ? 1 : 0].reg : Dataflow::kNone;
    // Loads may be reordered with loads, and stores with those that are known to access other bytes.
    if (access != last_ || (access != ptx::Access::Load && base != base_)) join();
    last_ = access;
    base_ = base;
    if (!plain) return;
    const ptx::Operand& address = in.operands[access == ptx::Access::Load ? 1 : 0];
    const auto bytes = static_cast<std::uint32_t>(in.vector_width() * ptx::size_of(in.type()));
    if (ptx::size_of(in.type()) < 4 || bytes >= kWidest) return;
    const std::uint32_t aligned = alignment_[address.reg];
    const auto first = static_cast<std::uint32_t>(address.offset & (kWidest - 1));
    if (aligned < 8 || first + bytes > kWidest) return;
    Group& group = groups_[{address.reg, address.offset >> 4}];
    group.aligned = aligned;
    group.members.push_back({i, first, first + bytes});
  }

  /// The accesses so far may be merged in any order.
  void join() {
    for (const auto& [place, group] : groups_) {
      if (group.aligned >= kWidest && join(group, 0, kWidest)) continue;
      join(group, 0, kWidest / 2);
      join(group, kWidest / 2, kWidest);
    }
    groups_.clear();
  }

  /// Merges the accesses to bytes [first, end), if they cover all of them.
  bool join(const Group& group, std::uint32_t first, std::uint32_t end) {
    std::uint32_t met = 0;
    std::vector<std::uint32_t> joined;
    for (const Member& member : group.members) {
      if (member.first < first || member.end > end) continue;
      met |= (1u << member.end) - (1u << member.first);
      joined.push_back(member.instruction);
    }
    if (met != (1u << end) - (1u << first) || joined.size() < 2) return false;
    found_[joined.front()].width = static_cast<std::uint8_t>(end - first);
    for (std::size_t k = 1; k < joined.size(); ++k) found_[joined[k]].part = true;
    return true;
  }

  const std::vector<Instruction>& body_;
  const Dataflow flow_;
  const std::vector<std::uint32_t> alignment_;
  /// By base and offset / 16: only loads, or only stores.
  std::map<std::pair<std::uint32_t, std::int64_t>, Group> groups_;
  ptx::Access last_ = ptx::Access::None;  ///< of the previous access, and its base
  std::uint32_t base_ = Dataflow::kNone;
  std::vector<WideAccess> found_;
};

}  // namespace

std::vector<WideAccess> wide_accesses(const ptx::Function& function) { return WideFinder(function).found(); }

}  // namespace cudalabs::sim
