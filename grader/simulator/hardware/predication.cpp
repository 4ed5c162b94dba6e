#include "grader/simulator/hardware/predication.h"

#include <algorithm>
#include <optional>

#include "grader/simulator/hardware/dataflow.h"
#include "grader/simulator/ptx/cfg.h"

namespace cudalabs::sim {
namespace {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;
using ptx::Operand;
using ptx::OperandKind;
using ptx::Space;

constexpr std::uint32_t kNone = Dataflow::kNone;

// The limits of docs/counters.md, in machine instructions.
constexpr std::uint32_t kLimit = 8, kUniformLimit = 6, kLoadLimit = 20;
constexpr std::uint32_t kBetweenConditions = 5;  // of `a && b`: what b takes, its comparison included
constexpr std::size_t kLongestChain = 8;         // conditions joined by &&
constexpr std::size_t kFewWriters = 4;  // registers with more are variables, never part of an address

bool is_wide_integer(const Instruction& in) {
  return !in.types.empty() && ptx::size_of(in.types.back()) == 8 && !ptx::is_float(in.types.back());
}
bool is_integer_add(const Instruction& in) {
  return (in.op == Op::Add || in.op == Op::Sub) && !ptx::is_float(in.type());
}
bool is_add(const Instruction& in) { return in.op == Op::Add || in.op == Op::Sub; }
bool is_logic(const Instruction& in) {
  return (in.op == Op::And || in.op == Op::Or || in.op == Op::Xor || in.op == Op::Not) &&
         in.type() != ptx::Type::Pred;
}
bool is_wide_product(const Instruction& in) { return in.op == Op::Mul && in.has(Mod::Wide); }

/// Multiplications and shifts by a constant that an addition after them takes in: fma, mad, LEA.
bool is_product(const Instruction& in, const Dataflow& flow) {
  if (in.op == Op::Shl) return flow.is_constant(in.operands[2]);
  if (in.op == Op::Shr)
    return !ptx::is_signed(in.type()) && !is_wide_integer(in) && flow.is_constant(in.operands[2]);
  if (in.op != Op::Mul) return false;
  return ptx::is_float(in.type()) ? !in.has(Mod::Rn)
                                  : !in.has(Mod::Wide) && !in.has(Mod::Hi) && !is_wide_integer(in);
}

/// May an instruction be predicated at all? What needs its
/// warp together, orders memory, or becomes a routine may not.
bool is_forbidden(const Instruction& in) {
  switch (in.op) {
    case Op::Atom:
    case Op::Red:
    case Op::Shfl:
    case Op::Vote:
    case Op::Match:
    case Op::BarWarp:
    case Op::Membar:
    case Op::Fence:
    case Op::Call:
    case Op::Activemask:
    case Op::Redux:
    case Op::Elect:
    case Op::Mbarrier:
    case Op::Wmma:
    case Op::Mma:
    case Op::Ldmatrix:
    case Op::Stmatrix:
    case Op::Movmatrix:
    case Op::Trap:
    case Op::Brkpt:
    case Op::Nanosleep:
    case Op::Ret:
    case Op::Exit:
    case Op::BrxIdx: return true;
    case Op::Dp4a:
    case Op::Dp2a:
    case Op::Clz:
    case Op::Bfind:
    case Op::Rem: return true;
    case Op::Div: return !in.has(Mod::Approx);
    case Op::Sqrt:
    case Op::Rsqrt: return !in.has(Mod::Approx) || in.type() == ptx::Type::F64;
    // Without .ftz it is a routine for what is not normal.
    case Op::Rcp: return !in.has(Mod::Approx) || !in.has(Mod::Ftz);
    default: return false;
  }
}

bool is_global_load(const Instruction& in) {
  return (in.op == Op::Ld || in.op == Op::Ldu) && (in.space == Space::Global || in.space == Space::Generic);
}

/// What the instructions of a function cost once they are machine instructions.
class Costs {
 public:
  Costs(const ptx::Function& function, const Dataflow& flow)
      : body_(function.body),
        registers_(function.registers),
        flow_(flow),
        cost_(body_.size()),
        dead_(body_.size()),
        first_use_(body_.size()),
        feeds_address_(function.registers.size()) {
    find_dead_and_addresses();
    find_first_uses();
    std::vector<bool> full(body_.size());  // already takes in an instruction before it
    for (std::uint32_t i = 0; i < body_.size(); ++i) {
      if (!dead_[i]) cost_[i] = machine_instructions(i, full) + first_use_[i];
    }
  }

  /// Of [first, end); a constant for use after it must get into a register.
  [[nodiscard]] std::uint32_t of(std::uint32_t first, std::uint32_t end) const {
    std::uint32_t sum = 0;
    for (std::uint32_t i = first; i < end; ++i) {
      sum += cost_[i];
      if (dead_[i] || body_[i].op != Op::Mov || body_[i].operands[1].kind != OperandKind::Immediate) continue;
      const auto& readers = flow_.readers[flow_.written[i].front()];
      if (!readers.empty() && (readers.front().instruction < first || readers.back().instruction >= end))
        ++sum;
    }
    return sum;
  }

 private:
  /// Additions, conversions and copies are part of an address if nothing else reads them.
  static bool passes_address(const Instruction& in) {
    return (is_integer_add(in) && ptx::size_of(in.type()) >= 4) || in.op == Op::Cvta || in.op == Op::Cvt ||
           in.op == Op::Mov;
  }

  void find_dead_and_addresses() {
    std::vector<bool> seen(body_.size());  // what is read by an instruction further up is read round a loop
    for (std::uint32_t i = static_cast<std::uint32_t>(body_.size()); i-- > 0;) {
      seen[i] = true;
      const auto& regs = flow_.written[i];
      if (regs.empty()) continue;
      const Instruction& in = body_[i];
      bool dead = in.op != Op::Atom && in.op != Op::Call && !(in.op == Op::Ld && in.has(Mod::Volatile));
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

  /// The first instruction that works with a kernel parameter,
  /// or with a special register, gets it into a register.
  void find_first_uses() {
    std::vector<std::uint32_t> root(body_.size(), kNone);  // of copies of a parameter: the load of it
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

  /// 1 if the instruction makes the halves of a 64-bit
  /// integer that is then stored: they must get into a pair.
  [[nodiscard]] std::uint32_t stored_pair(std::uint32_t i) const {
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

  std::uint32_t machine_instructions(std::uint32_t i, std::vector<bool>& full) const {
    const Instruction& in = body_[i];
    const std::uint32_t words = is_wide_integer(in) ? 2 : 1;
    const bool for_address = !flow_.written[i].empty() && feeds_address_[flow_.written[i].front()];
    const auto taken_in = [&](auto&& reader_fits) {  // by the only instruction that reads it
      const std::uint32_t reader = flow_.only_reader(i);
      if (full[i] || reader == kNone || full[reader] || is_wide_integer(body_[reader]) != is_wide_integer(in))
        return false;
      if (!reader_fits(body_[reader])) return false;
      full[reader] = true;
      return true;
    };
    switch (in.op) {
      case Op::Bra:
      case Op::Cvta: return 0;
      case Op::Ld: return in.space == Space::Param ? 0 : 1;
      case Op::Ldu:
      case Op::St:
      case Op::CpAsync:
      case Op::Prefetch: return 1;
      case Op::Mov:
        // Specials are counted where they are first read; constants by of().
        return 0;
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
        if (is_wide_integer(in)) return 4 + stored_pair(i);
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
        for (std::size_t k = 1; k <= 2;
             ++k) {  // the address of an array's element is one multiplication and addition
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
      case Op::Mad: return in.has(Mod::Lo) && is_wide_integer(in) ? 4 + stored_pair(i) : 1;
      case Op::Min:
      case Op::Max: return words == 2 ? 4 + stored_pair(i) : 1;
      case Op::Abs: return words == 2 ? 5 + stored_pair(i) : 1;
      case Op::Slct: return 2;
      case Op::Mul24:
      case Op::Mad24: return 3;
      // The special-function unit takes normal numbers only:
      // without .ftz the operand is scaled, and the result back.
      case Op::Div: return in.has(Mod::Ftz) ? 2 : 7;
      case Op::Sqrt:
      case Op::Rsqrt:
      case Op::Ex2:
      case Op::Lg2: return in.has(Mod::Ftz) || in.type() != ptx::Type::F32 ? 1 : 5;
      case Op::Sin:
      case Op::Cos: return 2;
      case Op::Setp: return words;
      default: return words + stored_pair(i);
    }
  }

  const std::vector<Instruction>& body_;
  const std::vector<ptx::Register>& registers_;
  const Dataflow& flow_;
  std::vector<std::uint32_t> cost_;
  std::vector<bool> dead_;
  std::vector<std::uint32_t> first_use_;
  std::vector<bool> feeds_address_;
};

/// One condition with what it guards. `chain`: the blocks that make the condition, one but for `a && b`.
/// `sides`: what may be predicated, each only if those before it are.
struct Conditional {
  struct Side {
    std::uint32_t block = 0;
    std::uint32_t next = 0;     // where it goes
    bool ends_in_jump = false;  // that is there in machine code too
  };
  std::vector<std::uint32_t> chain;
  std::vector<Side> sides;
};

class Finder {
 public:
  explicit Finder(const ptx::Function& function)
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
  /// The block that a way into `block` really leads to, past blocks that are nothing but a jump.
  /// With `ways`: the blocks entered from nowhere but `ways`, that are passed, are added to them.
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

  /// Where a block goes that is entered by `ways` alone, and goes to one place further on than the condition.
  [[nodiscard]] std::optional<std::uint32_t> end_of_side(std::uint32_t block,
                                                         const std::vector<std::uint32_t>& ways,
                                                         std::uint32_t condition) const {
    if (block == cfg_.exit() || !entered_only_from(block, ways)) return std::nullopt;
    if (cfg_.blocks[block].successors.size() != 1) return std::nullopt;
    if (last(block).op == Op::Ret || last(block).op == Op::Exit || last(block).op == Op::Trap)
      return std::nullopt;
    const std::uint32_t next = through_jumps(cfg_.blocks[block].successors[0]);
    if (next <= condition) return std::nullopt;
    return next;
  }

  /// The arithmetic of `b` in `a && b`, where it is short.
  [[nodiscard]] bool continues(std::uint32_t block, std::uint32_t before, std::uint32_t skip) const {
    if (predecessors_[block].size() != 1 || predecessors_[block][0] != before || !is_condition(block))
      return false;
    if (through_jumps(target(block)) != skip) return false;
    const std::uint32_t first = cfg_.blocks[block].first, end = cfg_.blocks[block].end - 1;
    for (std::uint32_t i = first; i < end; ++i) {
      const Instruction& in = body_[i];
      const bool touches_memory = (in.op == Op::Ld && in.space != Space::Param) || in.op == Op::St ||
                                  in.op == Op::Ldu || in.op == Op::CpAsync || in.op == Op::Bar ||
                                  in.op == Op::Barrier;
      if (touches_memory || in.has_guard || is_forbidden(in)) return false;
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
    if (else_end == inside) {  // the body stands where the branch goes
      c.sides = {{skip, inside, false}};
    } else if (then_end == skip) {
      c.sides = {{inside, skip, false}};
    } else if (then_end && (ends_in_jump(inside) || then_end == else_end)) {
      // An if-else, or what leaves for somewhere else: what is run if the branch is not taken comes first.
      c.sides = {{inside, *then_end, true}};
      if (then_end == else_end) c.sides.push_back({skip, *else_end, false});
    }
    return c;
  }

  [[nodiscard]] bool ends_kernel(std::uint32_t block) const {
    if (block == cfg_.exit()) return true;
    const Instruction& in = body_[cfg_.blocks[block].first];
    return (in.op == Op::Ret || in.op == Op::Exit) && !in.has_guard;
  }

  [[nodiscard]] bool ends_in_jump(std::uint32_t block) const { return last(block).op == Op::Bra; }

  [[nodiscard]] bool is_predicated(const Conditional::Side& side, bool uniform) const {
    if (ends_kernel(side.next)) return false;
    const ptx::BasicBlock& block = cfg_.blocks[side.block];
    bool loads = false;
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      const Instruction& in = body_[i];
      if (in.has_guard || is_forbidden(in)) return false;
      loads = loads || is_global_load(in);
    }
    const std::uint32_t limit = loads ? kLoadLimit : uniform ? kUniformLimit : kLimit;
    return costs_.of(block.first, block.end) + (side.ends_in_jump ? 1 : 0) <= limit;
  }

  /// The jump or the branch at the end of a block is not predicated: it is gone.
  void add(std::vector<PredicatedBody>& bodies, std::uint32_t branch, std::uint32_t block) const {
    const std::uint32_t end = cfg_.blocks[block].end - (ends_in_jump(block) ? 1 : 0);
    if (end > cfg_.blocks[block].first) bodies.push_back({branch, cfg_.blocks[block].first, end});
  }

  const ptx::Function& function_;
  const std::vector<Instruction>& body_;
  const Dataflow flow_;
  const ptx::Cfg cfg_;
  const Costs costs_;
  std::vector<std::vector<std::uint32_t>> predecessors_;
  std::vector<bool> uniform_;
};

}  // namespace

std::vector<PredicatedBody> predicated_bodies(const ptx::Function& function) {
  if (function.body.empty()) return {};
  return Finder(function).run();
}

}  // namespace cudalabs::sim
