// How the lanes of a warp diverge and reconverge: splits, which of them runs next, and the effect of calls
// and returns on them.

#include <algorithm>
#include <bit>
#include <cstring>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/interpreter/block.h"
#include "grader/sim/interpreter/lanes.h"

namespace cudalabs::sim {
namespace {

constexpr std::uint64_t kMaxCallBytes = std::uint64_t{512} << 20;  // for each worker

}  // namespace

void Block::merge(Warp& warp) {
  auto& s = warp.splits;
  for (std::size_t i = 0; i < s.size(); ++i) {
    for (std::size_t k = i + 1; k < s.size();) {
      const bool barrier = s[i].state == WarpFragment::State::AtBarrier;
      if (s[i].activation == s[k].activation && s[i].pc == s[k].pc &&
          barrier == (s[k].state == WarpFragment::State::AtBarrier)) {
        s[i].mask |= s[k].mask;
        if (!barrier)
          s[i].state = WarpFragment::State::Ready;  // a wait for lanes is evaluated again with more lanes
        release(s[k].activation);
        s.erase(s.begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        ++k;
      }
    }
  }
}

/// The split to run: deepest call first, then lowest pc, so that lanes reconverge where the paths join. With
/// `fair`: the one that has waited longest. `limit` is the pc where it meets others of its activation.
std::size_t Block::choose(Warp& warp, bool fair, std::uint32_t& limit) const {
  const auto& s = warp.splits;
  std::size_t best = s.size();
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i].state != WarpFragment::State::Ready) continue;
    if (best == s.size()) {
      best = i;
    } else if (fair) {
      if (s[i].last_run < s[best].last_run) best = i;
    } else if (s[i].activation->depth != s[best].activation->depth) {
      if (s[i].activation->depth > s[best].activation->depth) best = i;
    } else if (s[i].pc < s[best].pc) {
      best = i;
    }
  }
  limit = kNoLimit;
  if (best == s.size()) return best;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (i != best && s[i].activation == s[best].activation && s[i].pc > s[best].pc &&
        s[i].state != WarpFragment::State::AtBarrier) {
      limit = std::min(limit, s[i].pc);
    }
  }
  return best;
}

void Block::exit_lanes(Warp& warp, std::size_t index, std::uint32_t lanes) {
  warp.exited |= lanes;
  WarpFragment& s = warp.splits[index];
  report_loads(worker_.exec);
  for (WorkerObserver* o : worker_.exec.every_access)
    o->exit_lanes(*s.activation->program, s.pc - 1, worker_.exec.warp, lanes);
  // Lanes of this warp wait at a barrier for the lanes that exit now: those were alive and bypassed it.
  for (const WarpFragment& other : warp.splits) {
    if (&other == &s || other.state != WarpFragment::State::AtBarrier || fault_.kind != FaultKind::None)
      continue;
    const auto waiting = static_cast<std::uint32_t>(std::countr_zero(other.mask));
    fault_ = locate(*other.activation, other.pc, waiting, worker_.exec.warp);
    fault_.kind = FaultKind::DivergentBarrier;
    fault_.message = msg::barrier_missed(std::popcount(other.mask), std::popcount(lanes));
    fault_.advice = msg::barrier_in_branch_advice();
  }
  s.mask &= ~lanes;
  if (s.mask == 0) {
    release(s.activation);
    warp.splits.erase(warp.splits.begin() + static_cast<std::ptrdiff_t>(index));
  }
}

void Block::call(Warp& warp, std::size_t index, const Inst& inst, std::uint32_t mask) {
  Exec& x = worker_.exec;
  WarpFragment& s = warp.splits[index];
  Activation* caller = s.activation;
  const CallSite& site = caller->program->calls[inst.target];
  x.pc = s.pc;
  const Program* callee = site.callee;
  if (site.builtin != ptx::Builtin::None) {
    call_builtin(x, site, mask);
    if (x.fault.kind != FaultKind::None) return raise(s, s.pc, x.fault);
    if (x.heap_freed) {
      for (auto& [program, tally] : worker_.tallies) tally->forget_ranges();
      x.heap_freed = false;
    }
    ++s.pc;
    return;
  }
  std::uint32_t going = mask;
  if (callee == nullptr) {  // indirect: lanes that call the same function go together
    const auto* pointer = slot<std::uint64_t>(x, site.pointer);
    const std::uint64_t first = pointer[std::countr_zero(mask)];
    going = 0;
    each(mask, [&](std::uint32_t l) { going |= static_cast<std::uint32_t>(pointer[l] == first) << l; });
    const std::uint64_t number = (first - kFunctionBase) / 16;
    const bool known = first > kFunctionBase && (first - kFunctionBase) % 16 == 0 && number >= 1 &&
                       number <= launch_.programs->size() && (*launch_.programs)[number - 1] != nullptr &&
                       !(*launch_.programs)[number - 1]->is_entry;
    if (!known) {
      x.fail(FaultKind::InvalidPc, static_cast<std::uint32_t>(std::countr_zero(mask)),
             msg::call_of_no_function(), msg::function_pointer_advice());
      return raise(s, s.pc, x.fault);
    }
    callee = (*launch_.programs)[number - 1].get();
  }
  if (callee->params.size() != site.arguments.size() || callee->returns.size() != site.results.size()) {
    x.fail(FaultKind::InvalidPc, static_cast<std::uint32_t>(std::countr_zero(mask)),
           msg::call_of_other_type(), msg::function_type_advice());
    return raise(s, s.pc, x.fault);
  }
  const std::uint64_t stack_end =
      std::uint64_t{caller->stack_base} + caller->program->stack_bytes + callee->stack_bytes;
  if (!launch_.program->deepest_stack && stack_end > launch_.local_bytes) {
    x.fail(FaultKind::StackOverflow, static_cast<std::uint32_t>(std::countr_zero(mask)),
           msg::stack_too_deep(caller->depth + 1, launch_.local_bytes), msg::stack_limit_advice());
    return raise(s, s.pc, x.fault);
  }
  // Each lane may be in a separate call, and each call has a frame.
  if (callee->frame_bytes > kMaxCallBytes - worker_.call_bytes) {
    x.fail(FaultKind::StackOverflow, static_cast<std::uint32_t>(std::countr_zero(mask)),
           msg::stack_too_large(kMaxCallBytes >> 20), msg::recursion_advice());
    return raise(s, s.pc, x.fault);
  }
  x.clock += s.pc;  // a lane reads this plus its pc as the clock, which must not go back
  Activation* a = activate(*callee, caller, kNone);
  a->return_pc = s.pc + 1;
  a->site = &site;
  a->users = 1;
  fill_frame(*a, x.warp, Slots::All);
  for (std::size_t p = 0; p < site.arguments.size(); ++p) {
    const ParamArea from = site.arguments[p], to = callee->params[p];
    const std::uint32_t bytes = std::min(from.bytes, to.bytes);
    each(going, [&](std::uint32_t l) {
      std::memcpy(a->frame + to.offset + l * to.bytes, caller->frame + from.offset + l * from.bytes, bytes);
    });
  }
  if (going == s.mask) {
    release(caller);  // the split's own reference; the callee keeps one
    s.activation = a;
    s.pc = 0;
  } else {
    s.mask &= ~going;
    warp.splits.push_back({a, 0, going, WarpFragment::State::Ready, 0});
  }
}

void Block::return_from(Warp& warp, std::size_t index, std::uint32_t mask) {
  WarpFragment& s = warp.splits[index];
  Activation* a = s.activation;
  Activation* caller = a->caller;
  for (std::size_t r = 0; r < a->site->results.size() && r < a->program->returns.size(); ++r) {
    const ParamArea from = a->program->returns[r], to = a->site->results[r];
    const std::uint32_t bytes = std::min(from.bytes, to.bytes);
    each(mask, [&](std::uint32_t l) {
      std::memcpy(caller->frame + to.offset + l * to.bytes, a->frame + from.offset + l * from.bytes, bytes);
    });
  }
  ++caller->users;
  worker_.exec.clock += s.pc;
  const std::uint32_t pc = a->return_pc;
  if (mask == s.mask) {
    s.activation = caller;
    s.pc = pc;
    release(a);
  } else {
    s.mask &= ~mask;
    warp.splits.push_back({caller, pc, mask, WarpFragment::State::Ready, 0});
  }
}

}  // namespace cudalabs::sim
