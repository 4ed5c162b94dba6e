#include "grader/simulator/cost/machine_code.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "grader/simulator/cost/issue.h"
#include "grader/simulator/hardware/dataflow.h"
#include "grader/simulator/hardware/machine_instructions.h"
#include "grader/simulator/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using ptx::Access;
using ptx::Instruction;
using ptx::Op;
using ptx::OperandKind;

/// Clocks by which the order is chosen: of a usual card, as a compiler has them.
constexpr std::uint32_t kUnitClocks = 4, kSpecialClocks = 20, kSharedClocks = 30, kMemoryClocks = 300;

Wait wait_of(const Instruction& in) {
  if (in.op == Op::Mov &&
      std::ranges::any_of(in.operands, [](const ptx::Operand& o) { return o.kind == OperandKind::Special; }))
    return Wait::Shared;
  if (in.op == Op::Shfl || in.op == Op::Redux || in.op == Op::Movmatrix) return Wait::Shared;
  const Access access = ptx::access_of(in);
  if ((access != Access::Load && access != Access::Atomic) || !ptx::writes_first(in)) return Wait::Unit;
  switch (in.space) {
    case ptx::Space::Param:
    case ptx::Space::Const: return Wait::Unit;
    case ptx::Space::Shared: return Wait::Shared;
    default: return Wait::Memory;
  }
}

/// Nothing is moved over it.
bool ends_piece(const Instruction& in) {
  switch (in.op) {
    case Op::Bra:
    case Op::BrxIdx:
    case Op::Call:
    case Op::CpAsyncWaitGroup:
    case Op::CpAsyncWaitAll:
    case Op::Mbarrier: return true;
    default: return ptx::is_barrier(in.op) || ptx::leaves(in.op);
  }
}

bool passes_by_l1(const Instruction& in) {
  using enum ptx::Mod;
  return in.has(Volatile) || in.has(Relaxed) || in.has(Acquire) || in.has(Cg) || in.has(Cv) || in.has(Mmio);
}

Step step_of(const Instruction& in) {
  switch (in.op) {
    case Op::Bra:
    case Op::BrxIdx:
    case Op::Call:
    case Op::Ret: return Step::Branch;
    case Op::CpAsync: return Step::AsyncCopy;
    case Op::CpAsyncCommitGroup: return Step::AsyncCommit;
    case Op::CpAsyncWaitGroup:
    case Op::CpAsyncWaitAll: return Step::AsyncWait;
    default: break;
  }
  return ptx::is_barrier(in.op) && !in.has(ptx::Mod::Arrive) ? Step::Barrier : Step::Plain;
}

/// A thread that has more registers than these finds fewer others beside it. ptxas then spares them: it moves
/// so many instructions ahead.
constexpr std::uint32_t kPlenty = 40, kNear = 64;
/// A loop of so few instructions, besides what counts its turns, is unrolled twice: 16 turns instead of 4.
constexpr std::size_t kTiny = 5;
/// A longer piece stays as the text has it.
constexpr std::size_t kMostOrdered = 8192;

class Builder {
 public:
  Builder(const Program& program, const std::vector<bool>& merged)
      : function_(*program.function),
        body_(program.function->body),
        flow_(*program.function),
        merged_(merged) {
    const std::size_t count = body_.size();
    condition_.assign(count, kNone);
    vanishes_.assign(count, false);
    for (const Hammock& hammock : program.hammocks) {
      const std::uint32_t branch = program.source[hammock.branch];
      if (!body_[branch].has_guard) continue;
      vanishes_[branch] = true;
      for (std::uint32_t i = hammock.begin; i < hammock.end; ++i)
        condition_[program.source[i]] = body_[branch].guard;
    }
    slots_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i)
      slots_[i] = vanishes_[i] || merged_[i] || is_folded(body_[i]) ? 0 : issue_slots(body_[i]);
    code_.piece_of.assign(count, 0);
  }

  MachineCode build() {
    std::vector<bool> begins(body_.size() + 1);
    for (std::uint32_t i = 0; i < body_.size(); ++i) {
      const Instruction& in = body_[i];
      if (vanishes_[i] || !ends_piece(in)) continue;
      begins[i + 1] = true;
      if (in.op == Op::Bra && in.operands[0].label < begins.size()) begins[in.operands[0].label] = true;
    }
    for (const auto& targets : function_.branch_targets) {
      for (const std::uint32_t label : targets) begins[label] = true;
    }
    add_pieces(begins, false);
    const std::uint32_t used = registers_used();
    window_ = used > kPlenty ? kNear : ~0u;
    code_ = {};
    code_.piece_of.assign(body_.size(), 0);
    add_pieces(begins, true);
    code_.registers_used = used;
    return std::move(code_);
  }

 private:
  void add_pieces(const std::vector<bool>& begins, bool ordered) {
    for (std::uint32_t first = 0, i = 1; i <= body_.size(); ++i) {
      if (i < body_.size() && !begins[i]) continue;
      add_piece(first, i, ordered);
      first = i;
    }
  }

  void add_piece(std::uint32_t first, std::uint32_t end, bool ordered) {
    MachinePiece piece{static_cast<std::uint32_t>(code_.ops.size()), 0, 1};
    for (std::uint32_t i = first; i < end; ++i)
      code_.piece_of[i] = static_cast<std::uint32_t>(code_.pieces.size());
    const std::set<std::uint32_t> counting = counters_of(first, end);
    if (!counting.empty()) piece.unrolled = end - first - counting.size() <= kTiny ? 16 : 4;
    std::vector<std::uint32_t> list(end - first);
    std::iota(list.begin(), list.end(), first);
    if (ordered && list.size() <= kMostOrdered) list = order(first, end);
    for (const std::uint32_t i : list) add_op(i, counting.contains(i));
    piece.end = static_cast<std::uint32_t>(code_.ops.size());
    code_.pieces.push_back(piece);
  }

  void add_op(std::uint32_t i, bool counts) {
    const Instruction& in = body_[i];
    MachineOp op;
    op.instruction = i;
    op.unit = unit_of(in);
    op.wait = wait_of(in);
    op.slots = static_cast<std::uint16_t>(slots_[i]);
    op.counted = static_cast<std::uint16_t>(merged_[i] ? 0 : issue_slots(in));
    op.routine = is_routine(in) && slots_[i] > 1;
    op.counts = counts;
    op.parameter = in.op == Op::Ld && in.space == ptx::Space::Param && function_.is_entry;
    op.uncached = passes_by_l1(in);
    op.place = code_.length;
    code_.length += op.slots;
    op.step = vanishes_[i] ? Step::Plain : step_of(in);
    if (in.op == Op::CpAsyncWaitGroup) op.groups = static_cast<std::uint8_t>(in.operands[0].bits);
    op.registers = static_cast<std::uint32_t>(code_.registers.size());
    code_.registers.insert(code_.registers.end(), flow_.read[i].begin(), flow_.read[i].end());
    op.reads = static_cast<std::uint16_t>(flow_.read[i].size());
    if (condition_[i] != kNone) {
      code_.registers.push_back(condition_[i]);
      ++op.reads;
    }
    code_.registers.insert(code_.registers.end(), flow_.written[i].begin(), flow_.written[i].end());
    op.writes = static_cast<std::uint16_t>(flow_.written[i].size());
    code_.ops.push_back(op);
  }

  /// Of a piece that jumps to its own begin and leaves memory alone: what only counts its turns.
  [[nodiscard]] std::set<std::uint32_t> counters_of(std::uint32_t first, std::uint32_t end) const {
    const Instruction& last = body_[end - 1];
    if (last.op != Op::Bra || !last.has_guard || last.operands[0].label != first) return {};
    for (std::uint32_t i = first; i < end; ++i) {
      if (unit_of(body_[i]) == Unit::Memory || is_routine(body_[i])) return {};
    }
    const auto written_here = [&](std::uint32_t reg) {
      for (const std::uint32_t i : flow_.writers[reg]) {
        if (i >= first && i < end) return i;
      }
      return kNone;
    };
    std::set<std::uint32_t> found{end - 1};
    const std::uint32_t compares = written_here(last.guard);
    if (compares == kNone) return found;
    found.insert(compares);
    for (const std::uint32_t reg : flow_.read[compares]) {
      const std::uint32_t i = written_here(reg);
      if (i == kNone || body_[i].op != Op::Add || body_[i].operands[2].kind != OperandKind::Immediate)
        continue;
      found.insert(i);
    }
    return found;
  }

  static std::uint32_t latency(const Instruction& in, std::uint32_t slots) {
    switch (wait_of(in)) {
      case Wait::Shared: return kSharedClocks;
      case Wait::Memory: return kMemoryClocks;
      case Wait::Unit: break;
    }
    if (slots == 0) return 0;
    return unit_of(in) == Unit::Special ? kSpecialClocks : kUnitClocks * (is_routine(in) ? slots : 1);
  }

  /// An access as far as another one may not be moved over it.
  struct Place {
    bool known = false;  ///< [base + offset]: places off one base are told apart
    std::uint32_t base = 0;
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
    ptx::Space space{};
    [[nodiscard]] bool may_meet(const Place& other) const {
      if (space != other.space && space != ptx::Space::Generic && other.space != ptx::Space::Generic)
        return false;
      if (!known || !other.known || base != other.base) return true;
      return offset < other.offset + other.bytes && other.offset < offset + bytes;
    }
  };
  [[nodiscard]] Place place_of(std::uint32_t i) const {
    const Instruction& in = body_[i];
    Place place;
    place.space = in.space;
    for (const ptx::Operand& o : in.operands) {
      if (o.kind != OperandKind::Address) continue;
      place.known = o.base_is_register && flow_.writers[o.reg].size() == 1;
      place.base = o.reg;
      place.offset = o.offset;
      place.bytes = std::int64_t{ptx::size_of(in.type())} * in.vector_width();
      break;
    }
    return place;
  }

  /// The instructions of [first, end) as a list scheduler puts them: what can start, first; of several what most waits for.
  [[nodiscard]] std::vector<std::uint32_t> order(std::uint32_t first, std::uint32_t end) const {
    const std::uint32_t count = end - first;
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> after(count);  // who waits, how long
    std::vector<std::uint32_t> waits(count), height(count), ready(count);
    const auto edge = [&](std::uint32_t from, std::uint32_t to, std::uint32_t clocks) {
      after[from].emplace_back(to, clocks);
      ++waits[to];
    };
    std::map<std::uint32_t, std::uint32_t> writer;
    std::map<std::uint32_t, std::vector<std::uint32_t>> readers;
    std::vector<std::pair<std::uint32_t, Place>> loads, stores;
    std::uint32_t exchange = kNone;
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t i = first + k;
      const Instruction& in = body_[i];
      const auto read = [&](std::uint32_t reg) {
        if (const auto it = writer.find(reg); it != writer.end())
          edge(it->second, k, latency(body_[first + it->second], slots_[first + it->second]));
        readers[reg].push_back(k);
      };
      for (const std::uint32_t reg : flow_.read[i]) read(reg);
      if (condition_[i] != kNone) read(condition_[i]);
      for (const std::uint32_t reg : flow_.written[i]) {
        for (const std::uint32_t reader : readers[reg]) {
          if (reader != k) edge(reader, k, 0);
        }
        if (const auto it = writer.find(reg); it != writer.end()) edge(it->second, k, 0);
        readers[reg].clear();
        writer[reg] = k;
      }
      const Access access = ptx::access_of(in);
      if (access == Access::Load && in.space != ptx::Space::Param && in.space != ptx::Space::Const) {
        const Place place = place_of(i);
        if (!in.has(ptx::Mod::Nc)) {
          for (const auto& [store, other] : stores) {
            if (place.may_meet(other)) edge(store, k, 0);
          }
        }
        loads.emplace_back(k, place);
      } else if (access == Access::Store || access == Access::Atomic || access == Access::Copy) {
        const Place place = place_of(i);
        for (const auto* others : {&loads, &stores}) {
          for (const auto& [other, met] : *others) {
            if (place.may_meet(met)) edge(other, k, 0);
          }
        }
        stores.emplace_back(k, place);
      } else if (in.op == Op::Membar || in.op == Op::Fence || in.op == Op::CpAsyncCommitGroup ||
                 in.op == Op::BarWarp) {
        for (const auto* others : {&loads, &stores}) {
          for (const auto& [other, met] : *others) edge(other, k, 0);
        }
        loads.clear();
        stores.clear();
        Place everywhere;
        stores.emplace_back(k, everywhere);
      }
      if (ptx::is_warp_exchange(in.op) || in.op == Op::Vote || in.op == Op::Match) {
        if (exchange != kNone) edge(exchange, k, 0);
        exchange = k;
      }
      if (k + 1 == count && ends_piece(in) && !vanishes_[i]) {
        for (std::uint32_t other = 0; other < k; ++other) edge(other, k, 0);
      }
    }
    for (std::uint32_t k = count; k-- > 0;) {
      for (const auto& [to, clocks] : after[k]) height[k] = std::max(height[k], height[to] + clocks);
    }
    return listed(first, after, waits, height, ready);
  }

  [[nodiscard]] std::vector<std::uint32_t> listed(
      std::uint32_t first, const std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>>& after,
      std::vector<std::uint32_t>& waits, const std::vector<std::uint32_t>& height,
      std::vector<std::uint32_t>& ready) const {
    const auto count = static_cast<std::uint32_t>(after.size());
    std::set<std::pair<std::uint32_t, std::uint32_t>> later;  // clock, index
    std::set<std::pair<std::uint32_t, std::uint32_t>> now;    // ~height, index
    std::set<std::uint32_t> far;                              // could start, but too far ahead
    std::vector<bool> done(count);
    std::vector<std::uint32_t> result;
    std::uint32_t clock = 0, lowest = 0;
    const auto start = [&](std::uint32_t k) {
      if (window_ == ~0u || k < lowest + window_)
        now.emplace(~height[k], k);
      else
        far.insert(k);
    };
    for (std::uint32_t k = 0; k < count; ++k) {
      if (waits[k] == 0) start(k);
    }
    while (result.size() < count) {
      while (!later.empty() && (later.begin()->first <= clock || now.empty())) {
        const auto [at, k] = *later.begin();
        clock = std::max(clock, at);
        start(k);
        later.erase(later.begin());
      }
      if (now.empty()) {
        now.emplace(0, *far.begin());
        far.erase(far.begin());
      }
      const std::uint32_t k = now.begin()->second;
      now.erase(now.begin());
      result.push_back(first + k);
      done[k] = true;
      while (lowest < count && done[lowest]) ++lowest;
      while (!far.empty() && *far.begin() < lowest + window_) {
        now.emplace(~height[*far.begin()], *far.begin());
        far.erase(far.begin());
      }
      clock += slots_[first + k];
      for (const auto& [to, clocks] : after[k]) {
        ready[to] = std::max(ready[to], clock + clocks);
        if (--waits[to] == 0) later.emplace(ready[to], to);
      }
    }
    return result;
  }

  /// Words of registers that hold what is still needed, at the place where they are most.
  [[nodiscard]] std::uint32_t registers_used() {
    const std::size_t pieces = code_.pieces.size();
    std::vector<std::vector<std::uint32_t>> next(pieces);
    for (std::size_t p = 0; p < pieces; ++p) {
      const MachineOp& last = code_.ops[code_.pieces[p].end - 1];
      const Instruction& in = body_[last.instruction];
      const bool jumps = in.op == Op::Bra && !vanishes_[last.instruction];
      if (jumps && in.operands[0].label < body_.size())
        next[p].push_back(code_.piece_of[in.operands[0].label]);
      if (in.op == Op::BrxIdx) {
        for (const auto& targets : function_.branch_targets) {
          for (const std::uint32_t label : targets) next[p].push_back(code_.piece_of[label]);
        }
      }
      const bool falls =
          !(jumps && !in.has_guard) && !(ptx::leaves(in.op) && !in.has_guard) && in.op != Op::BrxIdx;
      if (falls && p + 1 < pieces) next[p].push_back(static_cast<std::uint32_t>(p + 1));
    }
    uniform_ = block_uniform(function_, flow_, {});
    std::vector<std::set<std::uint32_t>> live(pieces);  // before the piece
    std::size_t most = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t p = pieces; p-- > 0;) {
        std::set<std::uint32_t> alive;
        for (const std::uint32_t n : next[p]) alive.insert(live[n].begin(), live[n].end());
        std::size_t words = 0;
        for (const std::uint32_t reg : alive) words += words_of(reg);
        most = std::max(most, words);
        for (std::uint32_t k = code_.pieces[p].end; k-- > code_.pieces[p].first;) {
          const MachineOp& op = code_.ops[k];
          // Who alone writes a register gives it its value, also under a condition.
          const bool may_not_write = body_[op.instruction].has_guard || condition_[op.instruction] != kNone;
          for (const std::uint32_t reg : code_.writes(op)) {
            if (!may_not_write || flow_.writers[reg].size() == 1) words -= alive.erase(reg) * words_of(reg);
          }
          for (const std::uint32_t reg : code_.reads(op))
            words += alive.insert(reg).second ? words_of(reg) : 0;
          most = std::max(most, words);
        }
        if (alive == live[p]) continue;
        live[p] = std::move(alive);
        changed = true;
      }
    }
    return static_cast<std::uint32_t>(most);
  }

  [[nodiscard]] std::size_t words_of(std::uint32_t reg) const {
    const ptx::Type type = function_.registers[reg].type;
    if (uniform_[reg]) return 0;  // in the registers of a warp
    return static_cast<std::size_t>((ptx::size_of(type) + 3) / 4);
  }

  const ptx::Function& function_;
  const std::vector<Instruction>& body_;
  const Dataflow flow_;
  const std::vector<bool>& merged_;
  std::vector<std::uint32_t> condition_;  // of what ptxas predicates: the register
  std::vector<bool> vanishes_;            // branches that ptxas leaves out
  std::vector<std::uint32_t> slots_;
  MachineCode code_;
  std::vector<bool> uniform_;
  std::uint32_t window_ = ~0u;
};

}  // namespace

MachineCode machine_code(const Program& program) {
  std::vector<bool> merged(program.function->body.size());
  const std::vector<IssueCounts> costs = issue_costs(program);
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (costs[i].merged != 0) merged[program.source[i]] = true;
  }
  return Builder(program, merged).build();
}

}  // namespace cudalabs::sim
