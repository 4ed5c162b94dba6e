// Waits of a block's warps: .sync instructions, which wait for the lanes of a mask, and barriers.

#include <algorithm>
#include <bit>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/executable/source_place.h"
#include "grader/sim/interpreter/block.h"
#include "grader/sim/interpreter/lanes.h"

namespace cudalabs::sim {

// ---- .sync instructions ----------------------------------------------------------------------------------

/// The `ready` lanes of a waiting split have met all the lanes that they wait for, and continue; the others
/// stay.
void Block::pass_sync(Warp& warp, std::size_t index, std::uint32_t ready) {
  Exec& x = worker_.exec;
  WarpFragment& s = warp.splits[index];
  x.frame = s.activation->frame;
  x.activation = s.activation;
  x.pc = s.pc;
  const Inst& inst = s.activation->program->code[s.pc];
  if (!x.every_access.empty())
    report_sync(warp, ready, sync_ready(x, inst, ready, warp.live(), s.mask) != ready);
  if (!x.every_step.empty()) report_step(s.pc, ready);
  sync_groups(x, inst, ready);
  if (x.fault.kind != FaultKind::None) return raise(s, s.pc, x.fault);
  if (ready == s.mask) {
    s.state = WarpFragment::State::Ready;
    ++s.pc;
    return;
  }
  s.mask &= ~ready;
  ++s.activation->users;
  warp.splits.push_back({s.activation, s.pc + 1, ready, WarpFragment::State::Ready, 0});
}

/// Reports the `.sync` instruction at x.pc to the observers of all instructions.
void Block::report_sync(const Warp& warp, std::uint32_t mask, bool apart) {
  Exec& x = worker_.exec;
  report_loads(x);
  const Program* program = x.activation->program;
  const WarpSync sync{
      program, x.pc, x.warp, mask, warp.exited, slot<std::uint32_t>(x, program->code[x.pc].target), apart};
  for (WorkerObserver* o : x.every_access) o->warp_sync(sync);
}

/// No split of the warp can run. If lanes wait for each other at different `.sync` instructions, all have
/// arrived and continue. Otherwise a barrier is reached by a divergent warp. Returns true if a split can run
/// again.
bool Block::resolve_waiting(Warp& warp) {
  std::uint32_t at_sync = 0;
  for (const WarpFragment& s : warp.splits) at_sync |= s.state == WarpFragment::State::AtSync ? s.mask : 0;
  if (at_sync != 0) {
    bool any = false;
    for (std::size_t k = 0, count = warp.splits.size(); k < count; ++k) {
      const WarpFragment& s = warp.splits[k];
      if (s.state != WarpFragment::State::AtSync) continue;
      Exec& x = worker_.exec;
      x.frame = s.activation->frame;
      const std::uint32_t ready =
          sync_ready(x, s.activation->program->code[s.pc], s.mask, warp.live(), at_sync);
      if (ready == 0) continue;
      pass_sync(warp, k, ready);
      if (fault_.kind != FaultKind::None) return false;
      any = true;
    }
    if (any) return true;
    for (const WarpFragment& s : warp.splits) {
      if (s.state != WarpFragment::State::AtSync) continue;
      fault_ = locate(*s.activation, s.pc, static_cast<std::uint32_t>(std::countr_zero(s.mask)),
                      worker_.exec.warp);
      fault_.kind = FaultKind::Deadlock;
      settle_together();  // the message names the positions of all warps
      fault_.message = msg::deadlock_at_warp_call(who_waits_where());
      fault_.advice = msg::warp_call_advice();
      return false;
    }
  }
  const WarpFragment& a = warp.splits[0];
  const WarpFragment& b = warp.splits[1];
  fault_ =
      locate(*a.activation, a.pc, static_cast<std::uint32_t>(std::countr_zero(a.mask)), worker_.exec.warp);
  fault_.kind = FaultKind::DivergentBarrier;
  const SourcePlace other = source_place(*b.activation->program, b.pc);
  fault_.message = msg::barrier_divergent(std::popcount(a.mask), std::popcount(b.mask), other.line);
  fault_.advice = msg::same_barrier_in_branch_advice();
  return false;
}

// ---- barriers --------------------------------------------------------------------------------------------

void Block::arrive(std::uint32_t w, std::size_t index) {
  Warp& warp = warps_[w];
  WarpFragment& s = warp.splits[index];
  Exec& x = worker_.exec;
  x.frame = s.activation->frame;
  x.activation = s.activation;
  const Inst& i = s.activation->program->code[s.pc];
  const std::uint32_t id = barrier_number(i, x.frame, std::countr_zero(s.mask));
  BarrierState& b = barriers_[id];
  const auto kind = static_cast<BarrierKind>(i.imm);
  b.arrived_threads += kLanes;  // a barrier counts warps: a partial warp counts as a full one
  if (kind >= BarrierKind::RedPopc) {
    const std::uint32_t p = predicate(x, i.c) & s.mask;
    if (!b.red_started) b.red = kind == BarrierKind::RedAnd ? 1 : 0;
    b.red_started = true;
    if (kind == BarrierKind::RedPopc) b.red += static_cast<std::uint32_t>(std::popcount(p));
    if (kind == BarrierKind::RedAnd) b.red &= p == s.mask ? 1u : 0u;
    if (kind == BarrierKind::RedOr) b.red |= p != 0 ? 1u : 0u;
  }
  if (kind == BarrierKind::Arrive) {
    for (WorkerObserver* o : x.every_access) o->barrier_arrive(w, id);
    s.state = WarpFragment::State::Ready;
    ++s.pc;
    return;
  }
  warp.arrived = true;
  warp.barrier = id;
}

void Block::report_opening(const Warp& first, std::uint32_t warp, std::uint32_t id, bool counted) {
  std::vector<std::uint32_t> exited;
  std::uint32_t warps = 0, left = 0;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    exited.push_back(warps_[w].exited);
    if (!warps_[w].splits.empty()) left |= 1u << w;
    if (warps_[w].arrived && warps_[w].barrier == id) warps |= 1u << w;
  }
  const WarpFragment& s = first.splits[0];
  const BarrierOpening opening{s.activation->program,
                               s.pc,
                               id,
                               warp,
                               static_cast<std::uint32_t>(std::countr_zero(s.mask)),
                               counted,
                               warps,
                               warps == left,
                               exited};
  for (WorkerObserver* o : worker_.exec.every_access) o->barrier(opening);
}

/// The fast path: if all live warps wait at one plain barrier, as they usually do, and nobody observes it,
/// opens it.
bool Block::release_all() {
  const Warp* first = nullptr;
  for (const Warp& warp : warps_) {
    if (warp.splits.empty()) continue;
    if (!warp.arrived) return false;
    if (first == nullptr) first = &warp;
    const WarpFragment& here = warp.splits[0];
    const WarpFragment& there = first->splits[0];
    if (here.pc != there.pc || here.activation->program != there.activation->program ||
        warp.barrier != first->barrier)
      return false;
  }
  if (first == nullptr || !worker_.exec.every_access.empty()) return false;
  const WarpFragment& at = first->splits[0];
  const Inst& i = at.activation->program->code[at.pc];
  if (static_cast<BarrierKind>(i.imm) != BarrierKind::Sync || i.b != kNone) return false;
  barriers_[first->barrier] = {};
  for (Warp& warp : warps_) {
    if (warp.splits.empty()) continue;
    warp.arrived = false;
    warp.splits[0].state = WarpFragment::State::Ready;
    ++warp.splits[0].pc;
  }
  return true;
}

/// Opens the complete barriers. True if there was any.
bool Block::release_barriers() {
  if (release_all()) return true;
  std::uint32_t waited_for = 0;  // bit set of barriers
  for (const Warp& warp : warps_) waited_for |= warp.arrived ? 1u << warp.barrier : 0;
  bool any = false;
  for (; waited_for != 0; waited_for &= waited_for - 1) {
    const auto id = static_cast<std::uint32_t>(std::countr_zero(waited_for));
    std::uint32_t waiting = 0, live = 0, wanted = 0;
    const Warp* first = nullptr;
    std::uint32_t first_index = 0;
    for (std::uint32_t w = 0; w < warps_.size(); ++w) {
      const Warp& warp = warps_[w];
      if (!warp.splits.empty()) ++live;
      if (!warp.arrived || warp.barrier != id) continue;
      ++waiting;
      if (first == nullptr) {
        first = &warp;
        first_index = w;
      }
      const WarpFragment& s = warp.splits[0];
      const Inst& i = s.activation->program->code[s.pc];
      if (i.b != kNone) {
        Exec& x = worker_.exec;
        x.frame = s.activation->frame;
        wanted = slot<std::uint32_t>(x, i.b)[std::countr_zero(s.mask)];
      }
    }
    if (waiting == 0) continue;
    const bool open = wanted != 0 ? barriers_[id].arrived_threads >= wanted : waiting == live;
    if (!open) continue;
    for (std::uint32_t w = 0; w < warps_.size(); ++w) {
      Warp& warp = warps_[w];
      if (!warp.arrived || warp.barrier != id) continue;
      WarpFragment& s = warp.splits[0];
      const WarpFragment& f = first->splits[0];
      if (wanted == 0 && s.pc != f.pc && fault_.kind == FaultKind::None) {
        // Copies of one __syncthreads() come from the compiler; different source places from the program.
        const SourcePlace here = source_place(*s.activation->program, s.pc);
        const SourcePlace there = source_place(*f.activation->program, f.pc);
        if (!same_source(*s.activation->program, s.pc, *f.activation->program, f.pc)) {
          fault_ = locate(*s.activation, s.pc, static_cast<std::uint32_t>(std::countr_zero(s.mask)), w);
          fault_.kind = FaultKind::DivergentBarrier;
          fault_.message =
              msg::block_divided_at_barrier(w, first_index, here.line == there.line ? 0 : there.line);
          fault_.advice = msg::same_barrier_advice();
          return false;
        }
      }
    }
    if (!worker_.exec.every_access.empty()) report_opening(*first, first_index, id, wanted != 0);
    for (std::uint32_t w = 0; w < warps_.size(); ++w) {
      Warp& warp = warps_[w];
      if (!warp.arrived || warp.barrier != id) continue;
      WarpFragment& s = warp.splits[0];
      const Inst& i = s.activation->program->code[s.pc];
      const auto kind = static_cast<BarrierKind>(i.imm);
      Exec& x = worker_.exec;
      x.frame = s.activation->frame;
      if (kind == BarrierKind::RedPopc) {
        each(s.mask, [&](std::uint32_t l) { slot<std::uint32_t>(x, i.d)[l] = barriers_[id].red; });
      } else if (kind >= BarrierKind::RedAnd) {
        std::uint32_t& p = predicate(x, i.d);
        p = (p & ~s.mask) | (barriers_[id].red != 0 ? s.mask : 0);
      }
      warp.arrived = false;
      s.state = WarpFragment::State::Ready;
      ++s.pc;
    }
    barriers_[id] = {};
    any = true;
  }
  return any;
}

}  // namespace cudalabs::sim
