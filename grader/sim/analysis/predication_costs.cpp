#include "grader/sim/analysis/predication_costs.h"

#include <algorithm>

#include "grader/sim/analysis/machine_instructions.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::OperandKind;
using ptx::Space;

constexpr std::uint32_t kNone = Dataflow::kNone;
constexpr std::size_t kFewWriters = 4;  // registers with more writers are variables, never part of an address

bool is_add(const Instruction& in) { return in.op == Op::Add || in.op == Op::Sub; }
bool is_integer_add(const Instruction& in) { return is_add(in) && !ptx::is_float(in.type()); }
bool is_logic(const Instruction& in) {
  return (in.op == Op::And || in.op == Op::Or || in.op == Op::Xor || in.op == Op::Not) &&
         in.type() != ptx::Type::Pred;
}
bool is_wide_product(const Instruction& in) { return in.op == Op::Mul && in.has(Mod::Wide); }

/// Multiplications and shifts by a constant that a following addition can absorb: fma, mad, LEA.
bool is_product(const Instruction& in, const Dataflow& flow) {
  if (in.op == Op::Shl) return flow.is_constant(in.operands[2]);
  if (in.op == Op::Shr)
    return !ptx::is_signed(in.type()) && !is_wide_integer(in) && flow.is_constant(in.operands[2]);
  if (in.op != Op::Mul) return false;
  return ptx::is_float(in.type()) ? !in.has(Mod::Rn)
                                  : !in.has(Mod::Wide) && !in.has(Mod::Hi) && !is_wide_integer(in);
}

/// Additions, conversions and copies are part of an address if nothing else reads them.
bool passes_address(const Instruction& in) {
  return (is_integer_add(in) && ptx::size_of(in.type()) >= 4) || in.op == Op::Cvta || in.op == Op::Cvt ||
         in.op == Op::Mov;
}

}  // namespace

PredicationCosts::PredicationCosts(const ptx::Function& function, const Dataflow& flow)
    : body_(function.body),
      registers_(function.registers),
      flow_(flow),
      cost_(body_.size()),
      dead_(body_.size()),
      first_use_(body_.size()),
      feeds_address_(function.registers.size()) {
  find_dead_and_addresses();
  find_first_uses();
  std::vector<bool> full(body_.size());  // has already absorbed an earlier instruction
  for (std::uint32_t i = 0; i < body_.size(); ++i) {
    if (!dead_[i]) cost_[i] = cost(i, full) + first_use_[i];
  }
}

std::uint32_t PredicationCosts::of(std::uint32_t first, std::uint32_t end) const {
  std::uint32_t sum = 0;
  for (std::uint32_t i = first; i < end; ++i) {
    sum += cost_[i];
    if (dead_[i] || body_[i].op != Op::Mov || body_[i].operands[1].kind != OperandKind::Immediate) continue;
    const auto& readers = flow_.readers[flow_.written[i].front()];
    if (!readers.empty() && (readers.front().instruction < first || readers.back().instruction >= end)) ++sum;
  }
  return sum;
}

void PredicationCosts::find_dead_and_addresses() {
  std::vector<bool> seen(body_.size());  // an earlier reader is in the next turn of a loop
  for (std::uint32_t i = static_cast<std::uint32_t>(body_.size()); i-- > 0;) {
    seen[i] = true;
    const auto& regs = flow_.written[i];
    if (regs.empty()) continue;
    const Instruction& in = body_[i];
    bool dead = ptx::access_of(in) != ptx::Access::Atomic && in.op != Op::Call &&
                !(in.op == Op::Ld && in.has(Mod::Volatile));
    bool address = true;
    for (const std::uint32_t reg : regs) {
      if (flow_.writers[reg].size() > kFewWriters) {
        dead = dead && flow_.readers[reg].empty();
        address = false;
        continue;
      }
      for (const Dataflow::Reader& r : flow_.readers[reg]) {
        const bool known = seen[r.instruction] && r.instruction != i;
        if (known && dead_[r.instruction]) continue;
        dead = false;
        if (r.role == Dataflow::Role::Address) continue;
        const auto& onwards = flow_.written[r.instruction];
        address = address && known && passes_address(body_[r.instruction]) && !onwards.empty() &&
                  feeds_address_[onwards[0]];
      }
    }
    dead_[i] = dead;
    for (const std::uint32_t reg : regs) feeds_address_[reg] = address && regs.size() == 1;
  }
}

/// The first instruction that uses a kernel parameter or a special register loads it into a register.
void PredicationCosts::find_first_uses() {
  std::vector<std::uint32_t> root(body_.size(), kNone);  // for copies of a parameter: its load
  std::vector<bool> used(body_.size());
  std::vector<bool> special_read(256);
  for (std::uint32_t i = 0; i < body_.size(); ++i) {
    const Instruction& in = body_[i];
    if (in.op == Op::Ld && in.space == Space::Param) {
      root[i] = i;
      continue;
    }
    if (in.op == Op::Mov && in.operands[1].kind == OperandKind::Special) {
      const auto which = static_cast<std::size_t>(in.operands[1].special);
      if (!special_read[which]) ++first_use_[i];
      special_read[which] = true;
      continue;
    }
    for (const std::uint32_t reg : flow_.read[i]) {
      if (flow_.writers[reg].size() != 1) continue;
      const std::uint32_t from = root[flow_.writers[reg].front()];
      if (from == kNone) continue;
      if (in.op == Op::Cvta || in.op == Op::Mov) {
        root[i] = from;
      } else if (!used[from] && !dead_[i]) {
        used[from] = true;
        ++first_use_[i];
      }
    }
  }
}

/// 1 if the instruction computes the halves of a 64-bit integer that is then stored: they must be moved into
/// a register pair.
std::uint32_t PredicationCosts::stored_pair(std::uint32_t i) const {
  if (flow_.written[i].size() != 1) return 0;
  const std::uint32_t reg = flow_.written[i].front();
  if (ptx::size_of(registers_[reg].type) != 8 || ptx::is_float(registers_[reg].type)) return 0;
  if (flow_.writers[reg].size() > kFewWriters) return 0;
  const auto& readers = flow_.readers[reg];
  return std::any_of(readers.begin(), readers.end(),
                     [&](const Dataflow::Reader& r) {
                       return body_[r.instruction].op == Op::St && r.role == Dataflow::Role::Value;
                     })
             ? 1
             : 0;
}

std::uint32_t PredicationCosts::cost(std::uint32_t i, std::vector<bool>& full) const {
  const Instruction& in = body_[i];
  const std::uint32_t words = is_wide_integer(in) ? 2 : 1;
  const bool for_address = !flow_.written[i].empty() && feeds_address_[flow_.written[i].front()];
  const auto taken_in = [&](auto&& reader_fits) {  // by its only reader
    const std::uint32_t reader = flow_.only_reader(i);
    if (full[i] || reader == kNone || full[reader] || is_wide_integer(body_[reader]) != is_wide_integer(in))
      return false;
    if (!reader_fits(body_[reader])) return false;
    full[reader] = true;
    return true;
  };
  const std::uint32_t length = machine_instructions(in);
  switch (in.op) {
    case Op::Bra: return 0;  // disappears if the body is predicated
    case Op::Mov: return 0;  // specials are counted at their first use, constants by of()
    case Op::Cvt: {
      const ptx::Type to = in.type(), from = in.types.back();
      if (ptx::is_float(to) || ptx::is_float(from)) return 1;
      if (for_address) return 0;
      const bool extends_sign = ptx::size_of(to) > ptx::size_of(from) && ptx::is_signed(from);
      return (extends_sign ? 1u : 0u) + stored_pair(i);
    }
    case Op::Mul:
      if (is_wide_product(in)) {
        const std::uint32_t reg = flow_.written[i].front();
        if (flow_.writers[reg].size() != 1) return 1;
        const auto& readers = flow_.readers[reg];
        return std::all_of(readers.begin(), readers.end(),
                           [&](const auto& r) { return body_[r.instruction].op == Op::Add; })
                   ? 0
                   : 1;
      }
      if (is_wide_integer(in)) return length + stored_pair(i);
      [[fallthrough]];
    case Op::Shl:
    case Op::Shr:
      if (is_product(in, flow_) && taken_in(ptx::is_float(in.type()) ? is_add : is_integer_add)) return 0;
      return words + stored_pair(i);
    case Op::Neg:
      if (!ptx::is_float(in.type()) && taken_in(is_integer_add)) return 0;
      return words + stored_pair(i);
    case Op::Add:
    case Op::Sub: {
      if (ptx::is_float(in.type())) return 1;
      // The address of an array element is one multiply-add.
      for (std::size_t k = 1; k <= 2; ++k) {
        const std::uint32_t writer = flow_.only_writer(in.operands[k]);
        if (writer != kNone && is_wide_product(body_[writer])) return 1;
      }
      const bool adds_constant = flow_.is_constant(in.operands[1]) || flow_.is_constant(in.operands[2]);
      if (adds_constant && for_address && !full[i]) return 0;
      return taken_in(is_integer_add) ? 0 : words + stored_pair(i);
    }
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Not:
      if (in.type() == ptx::Type::Pred) return 0;  // part of the comparisons
      return taken_in(is_logic) ? 0 : words + stored_pair(i);
    case Op::Fma: {
      std::uint32_t constants = 0;
      for (std::size_t k = 1; k < in.operands.size(); ++k)
        constants += flow_.is_constant(in.operands[k]) ? 1u : 0u;
      return constants > 1 ? 2 : 1;
    }
    case Op::Mad:
    case Op::Min:
    case Op::Max:
    case Op::Abs: return length + (words == 2 ? stored_pair(i) : 0);
    default:
      if (length != 1 || ptx::access_of(in) != ptx::Access::None) return length;
      return words + stored_pair(i);
  }
}

}  // namespace cudalabs::sim
