// Runs a block's warps in machine code: a single warp up to where the interpreter must take over, or all
// warps together from barrier to barrier.

#include <algorithm>
#include <limits>

#include "grader/sim/interpreter/block.h"

namespace cudalabs::sim {
namespace {

bool is_plain_barrier(const Inst& i) {
  return i.flow == Flow::Barrier && i.guard == kNone && i.a == kNone && i.b == kNone &&
         static_cast<BarrierKind>(i.imm) == BarrierKind::Sync;
}

/// True if all lanes of the running warp exit at this instruction.
bool ends(Exec& x, const Inst& i) {
  return i.flow == Flow::Exit &&
         (i.guard == kNone || predicate(x, i.guard) == (i.guard_negated ? 0 : kAllLanes));
}

}  // namespace

/// Prepares the context for machine code of the running activation's function.
void Block::fill_context() {
  Exec& x = worker_.exec;
  NativeContext& context = worker_.native_context;
  context.keeps_unflushed = x.unflushed.kept;
  if (context.block == this && context.program == x.activation->program) return;
  Tally& tally = *x.activation->tally;
  context.block = this;
  context.exec = &x;
  context.program = x.activation->program;
  context.shapes = x.shapes;
  context.global = x.global_host;
  context.shared = x.shared;
  context.runs = tally.runs.data();
  context.executed = tally.executed.data();
  context.idle_lanes = tally.idle_lanes.data();
  context.idle_runs = tally.idle_runs.data();
  context.divided = tally.divided.data();
  context.partial_shapes = tally.partial_shapes.data();
  context.clock = &x.clock;
  context.unflushed = &x.unflushed;
  context.params = x.params;
}

/// The split diverges at an `if`. Returns its slice after its lanes have reconverged behind it, if the
/// interpreter lets them do so before any other split of the warp runs; otherwise 0.
std::int64_t Block::slice_after_sides(const Warp& warp, std::size_t split) {
  const WarpFragment& own = warp.splits[split];
  for (const WarpFragment& s : warp.splits) {
    const bool same = s.activation == own.activation;
    const bool comes_later = same ? s.pc >= own.pc : s.activation->depth < own.activation->depth;
    // A split that waits for lanes does not run, but others run up to its pc.
    const bool counts =
        s.state == WarpFragment::State::Ready || (s.state == WarpFragment::State::AtSync && same);
    if (counts && !comes_later) return 0;
  }
  return warp.splits.size() == 1 ? std::numeric_limits<std::int64_t>::max() : kSlice;
}

/// Runs from `pc` to where the interpreter must take over. False: the split stops at the new pc.
bool Block::run_native(const NativeCode& code, Warp& warp, std::size_t split, std::uint32_t limit,
                       std::uint32_t& pc, std::int64_t& quantum, std::int64_t& slice) {
  Exec& x = worker_.exec;
  fill_context();
  NativeContext& context = worker_.native_context;
  context.frame = x.frame;
  context.quantum = quantum;
  context.slice = slice;
  const std::uint32_t mask = warp.splits[split].mask;
  if (mask != kAllLanes) {
    context.lanes = context.entered = SomeLanes::of(mask);
    context.limit = limit;
    context.slice_after_sides = slice_after_sides(warp, split);
  }
  pc = code.run(context, pc, mask == kAllLanes ? Lanes::All : Lanes::Some);
  quantum = context.quantum;
  slice = context.slice;
  if (x.fault.kind != FaultKind::None) [[unlikely]] {
    raise(warp.splits[split], pc, x.fault);
    return false;
  }
  return quantum > 0 && slice > 0;
}

/// True if all live warps are full and ready at one instruction where machine code begins: `code` is then
/// that code. Those warps are in worker_.together.
bool Block::stand_together(const NativeCode*& code) {
  Exec& x = worker_.exec;
  worker_.together.clear();
  if (next_warp_ != 0 || !x.every_step.empty()) return false;
  const WarpFragment* first = nullptr;
  for (std::uint32_t turn = 0; turn < warps_.size(); ++turn) {
    const std::uint32_t w = in_turn(turn);
    const Warp& warp = warps_[w];
    if (warp.splits.empty()) continue;
    const WarpFragment& only = warp.splits[0];
    if (warp.splits.size() > 1 || only.mask != kAllLanes || only.state != WarpFragment::State::Ready ||
        warp.arrived)
      return false;
    if (first == nullptr) {
      first = &only;
      code = only.activation->tally->native;
      if (code == nullptr || !code->has(only.pc, Lanes::All)) return false;
    }
    if (only.pc != first->pc || only.activation->program != first->activation->program) return false;
    worker_.together.push_back({w, only.activation, only.activation->frame});
  }
  return first != nullptr;
}

/// Updates the states of the warps that run_together() runs, except the one whose turn it is.
void Block::settle_together() {
  const Standing& s = standing_;
  const auto& together = worker_.together;
  for (std::size_t k = 0; s.runs && k < together.size(); ++k) {
    Warp& warp = warps_[together[k].warp];
    if (k == s.turn || warp.splits.empty()) continue;
    WarpFragment& only = warp.splits[0];
    only.pc = k < s.turn ? s.barrier : s.from;
    if (k > s.turn) continue;
    only.state = WarpFragment::State::AtBarrier;
    warp.arrived = true;
    warp.barrier = only.activation->program->code[s.barrier].extra;
    barriers_[warp.barrier].arrived_threads += kLanes;
  }
  standing_.runs = false;
}

/// Does the work of the loop in run() for warps at one pc, as long as each of them reaches the same plain
/// barrier in its turn, or its end. Their order is that of the loop, which takes over the rest of the round
/// (`left` warps) if a warp does neither; the warps' states are updated then. False: nothing ran. `goes_on`:
/// some warp made progress.
bool Block::run_together(std::int64_t& quantum, std::int64_t usual_turn, std::uint32_t& left, bool& goes_on) {
  // Then the loop in run() must check whether the block repeats itself. A check hashes the block's whole
  // state, so it is rare while the block makes progress.
  constexpr std::int64_t kSeldom = 16;
  if (used_since_look_ >= kSeldom * usual_turn) return false;
  const NativeCode* code = nullptr;
  if (!stand_together(code)) return false;
  const auto count = static_cast<std::uint32_t>(warps_.size());
  Exec& x = worker_.exec;
  auto& together = worker_.together;
  const Program& program = *together[0].activation->program;
  std::uint64_t* const executed = together[0].activation->tally->executed.data();
  standing_ = {true, 0, warps_[together[0].warp].splits[0].pc, kNone};
  std::uint32_t& barrier = standing_.barrier;
  NativeContext& context = worker_.native_context;
  enter(x, *together[0].activation);
  std::int64_t spent = 0;  // since the last barrier
  std::uint32_t turns = 0;
  const auto account = [&] {
    quantum -= spent;
    length_ += static_cast<std::uint64_t>(spent);
    used_since_look_ += spent;
    turns_since_look_ += turns;
    spent = 0;
    turns = 0;
  };
  for (;;) {
    if (worker_.outworn()) [[unlikely]]
      worker_.ask_observers();
    fill_context();
    barrier = kNone;
    bool ended = false;
    for (std::size_t k = 0, size = together.size(); k < size; ++k) {
      // Only the frame is touched here: the rest of a warp's data is seldom in the L1 cache.
      const std::uint32_t w = together[k].warp;
      standing_.turn = k;
      begin_turn(w);
      x.activation = together[k].activation;
      x.frame = context.frame = together[k].frame;
      const std::int64_t whole = std::min(quantum - spent, usual_turn);
      context.quantum = context.slice = whole;
      const std::uint32_t pc = code->run(context, standing_.from, Lanes::All);
      std::int64_t turn = context.quantum;
      const bool unhindered = x.fault.kind == FaultKind::None && turn > 0;
      Stop stop = Stop::Blocked;
      if (unhindered && (pc == barrier || (barrier == kNone && is_plain_barrier(program.code[pc]))))
          [[likely]] {
        barrier = pc;
        ++executed[pc];
      } else {
        warps_[w].splits[0].pc = pc;
        stop = leave_together(w, unhindered && ends(x, program.code[pc]), turn);
      }
      report_loads(x);
      spent += whole - turn;
      ++turns;
      ended = ended || stop == Stop::Exited;
      goes_on = goes_on || stop != Stop::Waiting;
      if (stop == Stop::Blocked || stop == Stop::Exited) continue;
      account();
      settle_together();
      left = count - in_turn(w) - 1;
      next_warp_ = (count - left) % count;
      return true;
    }
    account();
    standing_.turn = together.size();
    const bool all_ended = barrier == kNone;
    if (all_ended || !x.every_access.empty() || used_since_look_ >= kSeldom * usual_turn ||
        !code->has(barrier + 1, Lanes::All)) {
      settle_together();
      left = 0;
      return true;
    }
    if (ended) std::erase_if(together, [this](const auto& of) { return warps_[of.warp].splits.empty(); });
    barriers_[program.code[barrier].extra] = {};
    standing_.from = barrier + 1;
  }
}

/// Runs the rest of a turn in the interpreter if machine code left the warp elsewhere than the others, or
/// ends the warp if it `ends` there as a whole. Blocked: it has reached the others' barrier after all, in the
/// state in which machine code would have left it.
Block::Stop Block::leave_together(std::uint32_t w, bool ends, std::int64_t& turn) {
  Exec& x = worker_.exec;
  Warp& warp = warps_[w];
  Activation* const activation = warp.splits[0].activation;
  const std::uint32_t pc = warp.splits[0].pc;
  if (x.fault.kind != FaultKind::None) {
    raise(warp.splits[0], pc, x.fault);
    return Stop::Faulted;
  }
  if (turn <= 0) return Stop::Preempted;
  if (ends) {
    ++activation->tally->executed[pc];
    ++warp.splits[0].pc;
    exit_lanes(warp, 0, kAllLanes);
    return Stop::Exited;
  }
  if (worker_.outworn()) [[unlikely]]
    worker_.ask_observers();
  const Stop stop = run_warp(w, turn);
  if (stop != Stop::Blocked && stop != Stop::Exited) return stop;
  // A function's activation may have been reused meanwhile; the kernel's is never reused.
  if (activation->caller != nullptr) return Stop::Preempted;
  if (stop == Stop::Blocked) {
    WarpFragment& only = warp.splits[0];
    const bool alike = warp.arrived && only.mask == kAllLanes && only.activation == activation &&
                       is_plain_barrier(activation->program->code[only.pc]) &&
                       (standing_.barrier == kNone || standing_.barrier == only.pc);
    if (!alike) return Stop::Preempted;
    standing_.barrier = only.pc;
    only.state = WarpFragment::State::Ready;
    warp.arrived = false;
    barriers_[warp.barrier].arrived_threads -= kLanes;
  }
  enter(x, *activation);
  fill_context();
  return stop;
}

}  // namespace cudalabs::sim
