#include "grader/sim/timing/schedule/machine_code.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/analysis/machine_instructions.h"
#include "grader/sim/analysis/predication_costs.h"
#include "grader/sim/ptx/traits.h"
#include "grader/sim/timing/schedule/access_order.h"
#include "grader/sim/timing/schedule/list_schedule.h"
#include "grader/sim/timing/schedule/register_pressure.h"

namespace cudalabs::sim {
namespace {

using ptx::Access;
using ptx::Instruction;
using ptx::Op;
using ptx::OperandKind;

/// Latencies for the schedule: those that a compiler assumes for a typical device.
constexpr std::uint32_t kUnitClocks = 4, kSpecialClocks = 20, kSharedClocks = 30, kMemoryClocks = 300;

Wait wait_of(const Instruction& in) {
  if (in.op == Op::Mov &&
      std::ranges::any_of(in.operands, [](const ptx::Operand& o) { return o.kind == OperandKind::Special; }))
    return Wait::Shared;
  if (ptx::traits_of(in.op).work == ptx::Work::Crossbar) return Wait::Shared;
  const Access access = ptx::access_of(in);
  if ((access != Access::Load && access != Access::Atomic) || !ptx::writes_first(in)) return Wait::Unit;
  switch (in.space) {
    case ptx::Space::Param:
    case ptx::Space::Const: return Wait::Unit;
    case ptx::Space::Shared: return Wait::Shared;
    default: return Wait::Memory;
  }
}

/// No access to memory is moved across it.
bool keeps_accesses_apart(const Instruction& in) {
  return in.op == Op::Membar || in.op == Op::Fence || in.op == Op::CpAsyncCommitGroup || in.op == Op::BarWarp;
}

/// No instruction is moved across it.
bool ends_piece(const Instruction& in) {
  switch (in.op) {
    case Op::Bra:
    case Op::BrxIdx:
    case Op::Call:
    case Op::CpAsyncWaitGroup:
    case Op::CpAsyncWaitAll:
    case Op::CpAsyncBulkWaitGroup:
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
    case Op::CpAsync:
    case Op::CpAsyncBulk: return Step::AsyncCopy;
    case Op::CpAsyncCommitGroup:
    case Op::CpAsyncBulkCommitGroup: return Step::AsyncCommit;
    case Op::CpAsyncBulkWaitGroup:
    case Op::CpAsyncWaitGroup:
    case Op::CpAsyncWaitAll: return Step::AsyncWait;
    default: break;
  }
  return ptx::is_barrier(in.op) && !in.has(ptx::Mod::Arrive) ? Step::Barrier : Step::Plain;
}

/// If a schedule needs more words of registers than this, ptxas waits for results instead: a multiprocessor
/// is full of threads with 32 registers, some of which the compiler uses itself. This bounds unrolled turns:
/// those of bench/estimate have 13 to 17 loads in flight, 16 to 17 in nvcc 13.0's machine code.
constexpr std::uint32_t kUsual = 23;
/// If a thread needs more than these, fewer threads fit on a multiprocessor. ptxas then saves registers: it
/// moves instructions ahead by at most this many.
constexpr std::uint32_t kPlenty = 40, kNear = 64;
/// Registers of a thread in addition to those of its values.
constexpr std::uint32_t kOwnRegisters = 6;
/// ptxas unrolls a loop this many times if it is counted and has at most this many other instructions. Seen
/// in the machine code of bench/estimate by nvcc 13.0: all loops of 17 instructions are unrolled, those of 18
/// and more are not.
constexpr std::uint32_t kTurns = 4, kSmallLoop = 17;
/// A longer piece keeps its program order.
constexpr std::size_t kMaxOrdered = 8192;
/// Several instructions; greater than every index, like kNone.
constexpr std::uint32_t kSeveral = kNone - 1;

/// An instruction of a piece, in one turn if the piece is a loop.
struct Item {
  std::uint32_t instruction = 0, turn = 0;
  std::uint32_t slots = 0;
  std::vector<std::uint32_t> reads, writes;
  std::vector<std::uint32_t> written;  ///< the function's registers, in the order of `writes`
  std::uint32_t base = kNone;          ///< for an address: the register
  std::int64_t more = 0;  ///< for an address: the sum of the earlier turns' additions; for a sum: its addend
};

/// The counting code of a small loop.
struct Counting {
  std::uint32_t compares = kNone, branch = kNone;
  /// Instructions that add a constant to a register. Several turns add it once, at their end; until then it
  /// is folded into the addresses.
  std::set<std::uint32_t> steps;
  /// Sums of such registers and invariants: the first turn's sum serves all turns.
  std::set<std::uint32_t> follow;
};

class Builder {
 public:
  Builder(const Program& program, bool joins)
      : program_(program),
        function_(*program.function),
        body_(program.function->body),
        flow_(*program.function) {
    const std::size_t count = body_.size();
    condition_.assign(count, kNone);
    vanishes_.assign(count, false);
    std::vector<bool> meets(count + 1);
    for (const Instruction& in : body_) {
      if (in.op == Op::Bra) meets[std::min<std::size_t>(in.operands[0].label, count)] = true;
    }
    std::map<std::uint32_t, std::uint32_t> guards;  // for a && b, by the branch of a: the last condition
    for (const Hammock& hammock : program.hammocks) {
      const std::uint32_t branch = program.source[hammock.branch];
      if (!body_[branch].has_guard) continue;
      vanishes_[branch] = true;
      const std::uint32_t guard = guards.try_emplace(branch, body_[branch].guard).first->second;
      for (std::uint32_t i = hammock.begin; i < hammock.end; ++i) condition_[program.source[i]] = guard;
      // The end of the hammock: the branch of b, or the jump over the other side.
      const std::uint32_t next = program.source[hammock.end - 1] + 1;
      if (next >= count || body_[next].op != Op::Bra || meets[next]) continue;
      vanishes_[next] = true;
      if (body_[next].has_guard) guards[branch] = body_[next].guard;
    }
    for (std::uint32_t i = 1; i < count; ++i) {
      const Instruction &leaves = body_[i - 1], &goes_on = body_[i];
      if (leaves.op != Op::Bra || !leaves.has_guard || vanishes_[i - 1] || meets[i] ||
          goes_on.op != Op::Bra || goes_on.has_guard || goes_on.operands[0].label >= i)
        continue;
      joined_.insert(i);
      vanishes_[i] = true;
    }
    slots_.resize(count);
    const PredicationCosts costs(function_, flow_);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t usual = issue_slots(body_[i]);
      const bool gone = vanishes_[i] || program_.wide_access(i).part || is_folded(body_[i]);
      // The constants of a multiply-add are loaded into registers before the loop.
      const bool alone =
          !joins || usual > 1 || body_[i].op == Op::Mov || body_[i].op == Op::Bra || body_[i].op == Op::Fma;
      slots_[i] = gone ? 0 : alone ? usual : costs.of(i);
    }
    code_.piece_of.assign(count, 0);
  }

  MachineCode build() {
    std::vector<bool> begins(body_.size() + 1);
    for (std::uint32_t i = 0; i < body_.size(); ++i) {
      const Instruction& in = body_[i];
      if ((vanishes_[i] && !joined_.contains(i)) || !ends_piece(in)) continue;
      begins[i + 1] = !joined_.contains(i + 1);
      if (in.op == Op::Bra && in.operands[0].label < begins.size()) begins[in.operands[0].label] = true;
    }
    for (const auto& targets : function_.branch_targets) {
      for (const std::uint32_t label : targets) begins[label] = true;
    }
    add_pieces(begins, false);
    const std::uint32_t used = words_held();
    limit_ = used <= kUsual ? kUsual : ~0u;
    window_ = used > kPlenty ? kNear : ~0u;
    code_ = {};
    code_.piece_of.assign(body_.size(), 0);
    add_pieces(begins, true);
    code_.registers_needed = used + kOwnRegisters;
    code_.registers_used = registers_used(code_.registers_needed);
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
    MachinePiece piece{static_cast<std::uint32_t>(code_.ops.size()), 0};
    for (std::uint32_t i = first; i < end; ++i)
      code_.piece_of[i] = static_cast<std::uint32_t>(code_.pieces.size());
    const bool orders = ordered && end - first <= kMaxOrdered;
    const bool unrolls = orders && kTurns * (end - first) <= kMaxOrdered;
    add_items(items_of(first, end, 1, {}), orders);
    piece.end = static_cast<std::uint32_t>(code_.ops.size());
    if (const Counting counting = counting_of(first, end); unrolls && counting.compares != kNone) {
      piece.turns = kTurns;
      piece.unrolled_first = piece.end;
      add_items(items_of(first, end, kTurns, counting), true);
      piece.unrolled_end = static_cast<std::uint32_t>(code_.ops.size());
    }
    code_.pieces.push_back(piece);
  }

  /// The instructions of [first, end), this many times. Each turn has its own registers, so that it need not
  /// wait for readers of the previous turn's.
  [[nodiscard]] std::vector<Item> items_of(std::uint32_t first, std::uint32_t end, std::uint32_t turns,
                                           const Counting& counting) {
    std::vector<Item> items;
    std::map<std::uint32_t, std::uint32_t> names;
    const auto name = [&](std::uint32_t reg) {
      const auto it = names.find(reg);
      return it == names.end() ? reg : it->second;
    };
    auto fresh = static_cast<std::uint32_t>(function_.registers.size());
    std::map<std::uint32_t, std::int64_t> more;  // in addition to the register's content
    const auto more_of = [&](std::uint32_t reg) { return more.contains(reg) ? more[reg] : 0; };
    for (std::uint32_t turn = 0; turn < turns; ++turn) {
      const bool last = turn + 1 == turns;
      for (std::uint32_t i = first; i < end; ++i) {
        const Instruction& in = body_[i];
        if (!last && (i >= counting.branch || i == counting.compares)) continue;
        if (counting.follow.contains(i)) {
          std::int64_t sum = 0;
          for (const std::uint32_t reg : flow_.read[i]) sum = wrapped_sum(sum, more_of(reg));
          more[in.operands[0].reg] = sum;
          if (turn > 0) continue;
        }
        std::int64_t adds = 0;
        if (counting.steps.contains(i)) {
          std::int64_t& sum = more[in.operands[0].reg];
          sum = wrapped_sum(sum, static_cast<std::int64_t>(in.operands[2].bits));
          if (!last) continue;
          adds = std::exchange(sum, 0);
        }
        Item& item = items.emplace_back(Item{i, turn, slots_[i], {}, {}, flow_.written[i], kNone, adds});
        for (const std::uint32_t reg : flow_.read[i]) item.reads.push_back(name(reg));
        if (condition_[i] != kNone) item.reads.push_back(name(condition_[i]));
        for (const ptx::Operand& o : in.operands) {
          if (o.kind != OperandKind::Address || !o.base_is_register) continue;
          item.base = name(o.reg);
          item.more = more_of(o.reg);
        }
        for (const std::uint32_t reg : flow_.written[i]) {
          // Under a condition the register may keep its old value.
          if (turns > 1 && (in.has_guard || condition_[i] != kNone)) item.reads.push_back(name(reg));
          if (turns > 1) names[reg] = last || counting.follow.contains(i) ? reg : fresh++;
          item.writes.push_back(name(reg));
        }
      }
    }
    code_.register_count = std::max(code_.register_count, fresh);
    return items;
  }

  void add_items(const std::vector<Item>& items, bool ordered) {
    std::vector<std::uint32_t> list(items.size());
    std::iota(list.begin(), list.end(), 0);
    if (ordered) list = order(items);
    for (const std::uint32_t k : list) add_op(items[k]);
  }

  void add_op(const Item& item) {
    const std::uint32_t i = item.instruction;
    const Instruction& in = body_[i];
    MachineOp op;
    op.instruction = i;
    op.unit = unit_of(in);
    op.wait = wait_of(in);
    op.slots = static_cast<std::uint16_t>(item.slots);
    op.counted = static_cast<std::uint16_t>(program_.wide_access(i).part ? 0 : issue_slots(in));
    op.routine = is_routine(in) && item.slots > 1;
    op.turn = static_cast<std::uint8_t>(item.turn);
    op.parameter = in.op == Op::Ld && in.space == ptx::Space::Param && function_.is_entry;
    op.uncached = passes_by_l1(in);
    op.place = code_.length;
    code_.length += op.slots;
    op.step = vanishes_[i] ? Step::Plain : step_of(in);
    if (in.op == Op::CpAsyncWaitGroup || in.op == Op::CpAsyncBulkWaitGroup)
      op.groups = static_cast<std::uint8_t>(in.operands[0].bits);
    op.registers = static_cast<std::uint32_t>(code_.registers.size());
    code_.registers.insert(code_.registers.end(), item.reads.begin(), item.reads.end());
    op.reads = static_cast<std::uint16_t>(item.reads.size());
    code_.registers.insert(code_.registers.end(), item.writes.begin(), item.writes.end());
    op.writes = static_cast<std::uint16_t>(item.writes.size());
    code_.ops.push_back(op);
  }

  /// The counting code of a small loop with one piece: it continues until a register, to which it adds a
  /// constant, reaches an invariant.
  [[nodiscard]] Counting counting_of(std::uint32_t first, std::uint32_t end) const {
    const bool joined = joined_.contains(end - 1);
    const Instruction &jump = body_[end - 1], &last = body_[joined ? end - 2 : end - 1];
    if (jump.op != Op::Bra || !last.has_guard || jump.operands[0].label != first ||
        std::ranges::binary_search(function_.not_unrolled, first))
      return {};
    const auto written_here = [&](std::uint32_t reg) {
      std::uint32_t found = kNone;
      for (const std::uint32_t i : flow_.writers[reg]) {
        if (i >= first && i < end) found = found == kNone ? i : kSeveral;
      }
      return found;
    };
    Counting counting;
    std::uint32_t slots = 0;
    for (std::uint32_t i = first; i < end; ++i) {
      const Instruction& in = body_[i];
      if (is_routine(in)) return {};
      if (in.op == Op::Add && !in.has_guard && condition_[i] == kNone &&
          in.operands[0].kind == OperandKind::Register && in.operands[1].kind == OperandKind::Register &&
          in.operands[0].reg == in.operands[1].reg && in.operands[2].kind == OperandKind::Immediate &&
          written_here(in.operands[0].reg) == i)
        counting.steps.insert(i);
      else
        slots += slots_[i];
    }
    const auto induced = [&](const ptx::Operand& o) {
      const std::uint32_t writer = o.kind == OperandKind::Register ? written_here(o.reg) : kNone;
      return writer < kSeveral && (counting.steps.contains(writer) || counting.follow.contains(writer));
    };
    for (std::uint32_t i = first; i < end; ++i) {
      const Instruction& in = body_[i];
      if (in.op != Op::Add || in.has_guard || condition_[i] != kNone || counting.steps.contains(i) ||
          in.operands[0].kind != OperandKind::Register || written_here(in.operands[0].reg) != i)
        continue;
      bool any = false, all = true;
      for (const std::size_t o : {1, 2}) {
        const ptx::Operand& operand = in.operands[o];
        const bool changes = operand.kind == OperandKind::Register && written_here(operand.reg) != kNone;
        any |= induced(operand);
        all &= !changes || induced(operand);
      }
      if (any && all) counting.follow.insert(i);
    }
    const std::uint32_t compares = written_here(last.guard);
    if (compares >= kSeveral || body_[compares].op != Op::Setp || body_[compares].has_guard) return {};
    // ptxas does not analyze whether the register ever meets an exact value: on an H100 such a loop of
    // clang's has only one turn's loads in flight.
    const bool exact = body_[compares].has(ptx::Mod::Eq) || body_[compares].has(ptx::Mod::Ne);
    const auto& operands = body_[compares].operands;
    if (exact && operands[1].kind != OperandKind::Immediate && operands[2].kind != OperandKind::Immediate)
      return {};
    std::uint32_t counters = 0;
    for (const std::uint32_t reg : flow_.read[compares]) {
      const std::uint32_t writer = written_here(reg);
      if (writer == kNone) continue;
      if (!counting.steps.contains(writer)) return {};
      ++counters;
    }
    counting.branch = joined ? end - 2 : end - 1;
    if (counters != 1 || slots > kSmallLoop + slots_[compares] + slots_[counting.branch]) return {};
    counting.compares = compares;
    return counting;
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

  using Values = std::map<std::uint32_t, RegisterValue>;

  static RegisterValue value_of(const Values& values, std::uint32_t reg) {
    const auto it = values.find(reg);
    return it == values.end() ? RegisterValue{reg, 0} : it->second;
  }

  [[nodiscard]] AccessedPlace place_of(const Item& item, const Values& values) const {
    const Instruction& in = body_[item.instruction];
    AccessedPlace place;
    place.space = in.space;
    for (const ptx::Operand& o : in.operands) {
      if (o.kind != OperandKind::Address) continue;
      place.known = o.base_is_register;
      if (place.known) place.base = value_of(values, item.base);
      place.base.more = wrapped_sum(place.base.more, wrapped_sum(o.offset, item.more));
      place.bytes = std::int64_t{ptx::size_of(in.type())} * in.vector_width();
      break;
    }
    return place;
  }

  /// Updates the values after item `k`.
  void note_values(Values& values, const Item& item, std::uint32_t k) const {
    const Instruction& in = body_[item.instruction];
    for (std::size_t w = 0; w < item.writes.size(); ++w) {
      RegisterValue value{(std::uint64_t{1} << 32) + (std::uint64_t{k} << 8) + w, 0};
      if (in.op == Op::Add && item.writes.size() == 1 && item.reads.size() == 1 &&
          in.operands[2].kind == OperandKind::Immediate) {
        value = value_of(values, item.reads[0]);
        value.more = wrapped_sum(value.more,
                                 item.more != 0 ? item.more : static_cast<std::int64_t>(in.operands[2].bits));
      }
      values[item.writes[w]] = value;
    }
  }

  /// The list scheduler's order of the items: ready items first, and among those the one that most others
  /// wait for.
  [[nodiscard]] std::vector<std::uint32_t> order(const std::vector<Item>& items) const {
    const auto count = static_cast<std::uint32_t>(items.size());
    InstructionGraph graph(count);
    const auto edge = [&](std::uint32_t from, std::uint32_t to, std::uint32_t clocks) {
      graph.add_wait(from, to, clocks);
    };
    std::map<std::uint32_t, std::uint32_t> writer;
    Values values;
    RegisterPressure pressure(count);
    const std::size_t piece = code_.pieces.size();
    for (const std::uint32_t reg : live_before_[piece]) pressure.add_before(reg, held_words(reg));
    std::map<std::uint32_t, std::vector<std::uint32_t>> readers;
    AccessOrder accesses;
    std::uint32_t exchange = kNone;
    for (std::uint32_t k = 0; k < count; ++k) {
      const Item& item = items[k];
      const Instruction& in = body_[item.instruction];
      graph.slots[k] = item.slots;
      const auto read = [&](std::uint32_t reg) {
        if (const auto it = writer.find(reg); it != writer.end())
          edge(it->second, k, latency(body_[items[it->second].instruction], items[it->second].slots));
        readers[reg].push_back(k);
      };
      for (const std::uint32_t reg : item.reads) {
        read(reg);
        pressure.add_read(k, reg);
      }
      for (const std::uint32_t reg : item.writes) {
        for (const std::uint32_t reader : readers[reg]) {
          if (reader != k) edge(reader, k, 0);
        }
        if (const auto it = writer.find(reg); it != writer.end()) edge(it->second, k, 0);
        readers[reg].clear();
        writer[reg] = k;
      }
      const Access access = ptx::access_of(in);
      const bool constant = in.space == ptx::Space::Param || in.space == ptx::Space::Const;
      const auto before = [&](std::uint32_t other) { edge(other, k, 0); };
      if (access == Access::Load ? !constant : access != Access::None)
        accesses.add(k, in, access, place_of(item, values), items.back().turn > 0, before);
      else if (access == Access::None && keeps_accesses_apart(in))
        accesses.fence(k, before);
      const ptx::Traits& traits = ptx::traits_of(in.op);
      if (traits.exchange || (traits.joined && !ptx::is_matrix(in.op))) {
        if (exchange != kNone) edge(exchange, k, 0);
        exchange = k;
      }
      for (std::size_t w = 0; w < item.writes.size(); ++w)
        pressure.add_write(k, item.writes[w], held_words(item.written[w]));
      note_values(values, item, k);
      const bool is_joined = joined_.contains(item.instruction);
      const bool leaves_before = joined_.contains(item.instruction + 1);
      if (leaves_before || is_joined || (k + 1 == count && ends_piece(in) && !vanishes_[item.instruction])) {
        for (std::uint32_t other = 0; other < k; ++other) edge(other, k, 0);
      }
    }
    for (const std::uint32_t reg : live_after_[piece]) pressure.keep(reg);
    const bool unrolled = items.back().turn > 0;
    return list_schedule(std::move(graph), std::move(pressure), unrolled ? limit_ : ~0u, window_);
  }

  /// Uses ptxas's number unless it is less than half of `predicted`: a program may have forged that number,
  /// and register spills are not visible.
  [[nodiscard]] std::uint32_t registers_used(std::uint32_t predicted) const {
    const KernelInfo& info = program_.info;
    return info.registers_known && 2 * info.registers >= predicted ? info.registers : predicted;
  }

  /// The maximum number of words of registers with live values, over all places.
  [[nodiscard]] std::uint32_t words_held() {
    const std::size_t pieces = code_.pieces.size();
    std::vector<std::vector<std::uint32_t>> next(pieces);
    for (std::size_t p = 0; p < pieces; ++p) {
      const MachineOp& last = code_.ops[code_.pieces[p].end - 1];
      const Instruction& in = body_[last.instruction];
      const bool joined = joined_.contains(last.instruction);
      const bool jumps = in.op == Op::Bra && (joined || !vanishes_[last.instruction]);
      if (joined) next[p].push_back(code_.piece_of[body_[last.instruction - 1].operands[0].label]);
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
    std::vector<std::set<std::uint32_t>>& live = live_before_;
    live.assign(pieces, {});
    live_after_.assign(pieces, {});
    std::size_t most = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t p = pieces; p-- > 0;) {
        std::set<std::uint32_t> alive;
        for (const std::uint32_t n : next[p]) alive.insert(live[n].begin(), live[n].end());
        live_after_[p] = alive;
        std::size_t words = 0;
        for (const std::uint32_t reg : alive) words += words_of(reg);
        most = std::max(most, words);
        for (std::uint32_t k = code_.pieces[p].end; k-- > code_.pieces[p].first;) {
          const MachineOp& op = code_.ops[k];
          // A register's only writer defines its value, even under a condition.
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
    if (uniform_[reg]) return 0;  // in uniform registers
    return static_cast<std::size_t>((ptx::size_of(type) + 3) / 4);
  }

  /// Values that are the same for all threads are in a thread's registers if an address uses them.
  [[nodiscard]] std::size_t held_words(std::uint32_t reg) const {
    const bool reaches = std::ranges::any_of(flow_.readers[reg],
                                             [](const auto& r) { return r.role == Dataflow::Role::Address; });
    return reaches ? static_cast<std::size_t>((ptx::size_of(function_.registers[reg].type) + 3) / 4)
                   : words_of(reg);
  }

  const Program& program_;
  const ptx::Function& function_;
  const std::vector<Instruction>& body_;
  const Dataflow flow_;
  std::vector<std::uint32_t> condition_;  // for instructions that ptxas predicates: the register
  std::vector<bool> vanishes_;            // branches that ptxas removes
  /// Jumps back behind a branch that leaves the loop: ptxas merges the two into one branch.
  std::set<std::uint32_t> joined_;
  std::vector<std::uint32_t> slots_;
  MachineCode code_;
  std::vector<bool> uniform_;
  std::vector<std::set<std::uint32_t>> live_before_, live_after_;  // by piece
  std::uint32_t limit_ = ~0u, window_ = ~0u;                       ///< words of registers; instructions
};

}  // namespace

MachineCode machine_code(const Program& program, bool joins) { return Builder(program, joins).build(); }

}  // namespace cudalabs::sim
