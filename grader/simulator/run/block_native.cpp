// How a block's warps run in machine code: one of them up to where the interpreter must look, or all together
// from barrier to barrier.

#include <algorithm>

#include "grader/simulator/run/block.h"

namespace cudalabs::sim {

/// Before machine code of the running activation's function begins to run.
void Block::fill_context(const NativeCode& code) {
  Exec& x = worker_.exec;
  NativeContext& context = worker_.native_context;
  context.keeps_untold = x.untold.kept;
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
  context.clock = &x.clock;
  context.untold = &x.untold;
  context.params = x.params;
  context.entries = code.entries();
}

/// From `pc` to where the interpreter must look. False: the split stops at the new pc.
bool Block::run_native(const NativeCode& code, Warp& warp, std::size_t split, std::uint32_t& pc,
                       std::int64_t& quantum, std::int64_t& slice) {
  Exec& x = worker_.exec;
  fill_context(code);
  NativeContext& context = worker_.native_context;
  context.frame = x.frame;
  context.quantum = quantum;
  context.slice = slice;
  pc = code.run(context, pc);
  quantum = context.quantum;
  slice = context.slice;
  if (x.fault.kind != FaultKind::None) [[unlikely]] {
    raise(warp.splits[split], pc, x.fault);
    return false;
  }
  return quantum > 0 && slice > 0;
}

/// True if all warps that are left are whole and ready at one instruction, where machine code begins: `code`
/// is then what it is in. Those warps are in worker_.together.
bool Block::stand_together(const NativeCode*& code) {
  Exec& x = worker_.exec;
  worker_.together.clear();
  if (next_warp_ != 0 || launch_.reversed || !x.every_step.empty()) return false;
  const Split* first = nullptr;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    const Warp& warp = warps_[w];
    if (warp.splits.empty()) continue;
    const Split& only = warp.splits[0];
    if (warp.splits.size() > 1 || only.mask != kAllLanes || only.state != Split::State::Ready || warp.arrived)
      return false;
    if (first == nullptr) {
      first = &only;
      code = only.activation->tally->native;
      if (code == nullptr || !code->has(only.pc)) return false;
    }
    if (only.pc != first->pc || only.activation->program != first->activation->program) return false;
    worker_.together.push_back({w, only.activation, only.activation->frame});
  }
  return first != nullptr;
}

/// What the loop in run() would do with warps that stand together, as long as each of them comes to the same
/// plain barrier in one go, or to its end: their order is that of the loop, which has the rest of the round where one does
/// not (`left` warps, the first of which may have used up some of its turn). What the warps' states say is
/// put right then. False: nothing ran.
bool Block::run_together(std::int64_t& quantum, std::int64_t usual_turn, std::uint32_t& left,
                         std::int64_t& first_turn) {
  // Then it is time to look whether the block repeats itself, which the loop in run() does. A look hashes all
  // that the block has: whoever gets on well is looked at seldom.
  constexpr std::int64_t kSeldom = 16;
  if (used_since_look_ >= kSeldom * usual_turn) return false;
  const NativeCode* code = nullptr;
  if (!stand_together(code)) return false;
  const auto count = static_cast<std::uint32_t>(warps_.size());
  Exec& x = worker_.exec;
  auto& together = worker_.together;
  const Program& program = *together[0].activation->program;
  std::uint64_t* const executed = together[0].activation->tally->executed.data();
  std::uint32_t from = warps_[together[0].warp].splits[0].pc;
  std::uint32_t barrier = kNone;
  const auto arrived = [&](std::size_t those) {
    for (std::size_t k = 0; k < together.size(); ++k) {
      Warp& warp = warps_[together[k].warp];
      if (warp.splits.empty()) continue;  // it came to its end
      Split& only = warp.splits[0];
      only.pc = k < those ? barrier : from;
      if (k >= those) continue;
      only.state = Split::State::AtBarrier;
      warp.arrived = true;
      warp.barrier = program.code[barrier].extra;
      barriers_[warp.barrier].arrived_threads += kLanes;
    }
  };
  NativeContext& context = worker_.native_context;
  enter(x, *together[0].activation);
  for (;;) {
    if (worker_.outworn()) [[unlikely]]
      worker_.ask_observers();
    fill_context(*code);
    barrier = kNone;
    bool ended = false;
    for (std::size_t k = 0; k < together.size(); ++k) {
      // Of a warp's own only the frame is looked at here: what else it has is seldom in the first cache.
      const std::uint32_t w = together[k].warp;
      begin_turn(w);
      x.activation = together[k].activation;
      x.frame = context.frame = together[k].frame;
      const std::int64_t turn = std::min(quantum, usual_turn);
      context.quantum = context.slice = turn;
      const std::uint32_t pc = code->run(context, from);
      tell_loads(x);
      const std::int64_t used = turn - context.quantum;
      quantum -= used;
      length_ += static_cast<std::uint64_t>(used);
      used_since_look_ += used;
      ++turns_since_look_;
      const bool faults = x.fault.kind != FaultKind::None;
      const bool goes_on = !faults && context.quantum > 0;
      const Inst& i = program.code[pc];
      if (goes_on && i.flow == Flow::Exit && i.guard == kNone) {
        ++executed[pc];
        warps_[w].splits[0].pc = pc + 1;
        exit_lanes(warps_[w], 0, kAllLanes);
        ended = true;
        continue;
      }
      const bool waits = goes_on && i.flow == Flow::Barrier && i.guard == kNone && i.a == kNone &&
                         i.b == kNone && static_cast<BarrierKind>(i.imm) == BarrierKind::Sync;
      if (!waits || (barrier != kNone && pc != barrier)) [[unlikely]] {
        arrived(k);
        Split& only = warps_[w].splits[0];
        only.pc = pc;
        if (faults) raise(only, pc, x.fault);
        left = goes_on ? count - w : count - w - 1;
        next_warp_ = (count - left) % count;
        if (goes_on) first_turn = context.quantum;
        return true;
      }
      barrier = pc;
      ++executed[pc];
    }
    if (barrier == kNone) {  // all have come to their ends
      left = 0;
      return true;
    }
    if (!x.every_access.empty() || used_since_look_ >= kSeldom * usual_turn || !code->has(barrier + 1)) {
      arrived(together.size());
      left = 0;
      return true;
    }
    if (ended) std::erase_if(together, [this](const auto& of) { return warps_[of.warp].splits.empty(); });
    barriers_[program.code[barrier].extra] = {};
    from = barrier + 1;
  }
}

}  // namespace cudalabs::sim
