#include "grader/sim/interpreter/block.h"

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/interpreter/lanes.h"
#include "grader/sim/memory/unset.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace cudalabs::sim {
namespace {

constexpr int kUninitialised = 0xCD;

std::uint64_t lanes_off(std::uint32_t mask) {
  return kLanes - static_cast<std::uint32_t>(std::popcount(mask));
}

/// Slots whose value differs between the blocks of a launch.
bool is_of_block(const ConstantSlot& c) {
  using enum ptx::Special;
  return c.source == SlotSource::Special &&
         (c.special == CtaidX || c.special == CtaidY || c.special == CtaidZ || c.special == SmId);
}

std::byte* aligned(std::vector<std::byte>& storage, std::size_t bytes) {
  if (storage.size() < bytes + 64) storage.resize(bytes + 64);
  const auto at = reinterpret_cast<std::uintptr_t>(storage.data());
  return storage.data() + ((64 - at % 64) % 64);
}

}  // namespace

Block::Block(const LaunchState& launch, Worker& worker, std::uint64_t index)
    : launch_(launch), worker_(worker), index_(index), load_times_(launch.latencies) {
  const Dim3& grid = launch.config.grid;
  ctaid_ = {static_cast<std::uint32_t>(index % grid.x), static_cast<std::uint32_t>(index / grid.x % grid.y),
            static_cast<std::uint32_t>(index / grid.x / grid.y)};
  threads_ = static_cast<std::uint32_t>(launch.config.block.count());
  shared_storage_ = std::move(worker.spare_shared);
  shared_ = aligned(shared_storage_, launch.shared_bytes);
  fill_unset(shared_, launch.shared_bytes, launch.reversed ? kUnsetExtremes : kUnsetNumbers);
  std::memset(shared_, 0, launch.program->reserved_shared_bytes);
  const std::uint32_t warps = (threads_ + kLanes - 1) / kLanes;
  if (launch.local_bytes > 0) {
    local_storage_.resize(std::size_t{warps} * kLanes * launch.local_bytes, std::byte{kUninitialised});
    if (launch.reversed) fill_unset(local_storage_.data(), local_storage_.size(), kUnsetExtremes);
  }
  warps_ = std::move(worker.spare_warps);
  warps_.resize(warps);
  for (std::uint32_t w = 0; w < warps; ++w) {
    const std::uint32_t lanes = std::min(kLanes, threads_ - w * kLanes);
    warps_[w].lanes = lanes == kLanes ? kAllLanes : (1u << lanes) - 1;
    Activation* root = activate(*launch.program, nullptr, w);
    root->users = 1;
    fill_kernel_frame(*root, w);
    warps_[w].splits.push_back({root, 0, warps_[w].lanes, WarpFragment::State::Ready, 0});
  }
  worker.native_context.block = nullptr;  // another block may have had this block's address
  for (auto& o : worker.observers) o->begin_block(index);
}

Block::~Block() {
  for (Warp& w : warps_) {
    for (WarpFragment& s : w.splits) release(s.activation);
    Warp spare;
    spare.splits = std::move(w.splits);
    spare.splits.clear();
    w = std::move(spare);
  }
  worker_.spare_warps = std::move(warps_);
  worker_.spare_shared = std::move(shared_storage_);
}

/// `root_of`: the warp whose kernel activation it is; kNone for a call.
Activation* Block::activate(const Program& program, Activation* caller, std::uint32_t root_of) {
  std::unique_ptr<Activation> a;
  if (root_of < worker_.roots.size() && worker_.roots[root_of]) {
    a = std::move(worker_.roots[root_of]);
  } else if (worker_.spare.empty()) {
    a = std::make_unique<Activation>();
  } else {
    a = std::move(worker_.spare.back());
    worker_.spare.pop_back();
  }
  if (a->program != &program || caller != nullptr) a->filled_for = kNone;
  a->program = &program;
  a->frame = aligned(a->storage, program.frame_bytes);
  a->caller = caller;
  a->users = 0;
  a->depth = caller == nullptr ? 0 : caller->depth + 1;
  a->local_base = caller == nullptr ? 0 : caller->local_base + caller->program->local_bytes;
  a->stack_base = caller == nullptr ? 0 : caller->stack_base + caller->program->stack_bytes;
  a->tally = &worker_.tally(program);
  a->site = nullptr;
  if (caller != nullptr) {
    ++caller->users;
    worker_.call_bytes += program.frame_bytes;
  }
  return a.release();
}

void Block::release(Activation* a) {
  while (a != nullptr && --a->users == 0) {
    Activation* caller = a->caller;
    if (caller != nullptr) worker_.call_bytes -= a->program->frame_bytes;
    const std::uint32_t warp = a->filled_for;
    if (warp != kNone && worker_.roots.size() <= warp) worker_.roots.resize(warp + 1);
    if (warp != kNone && !worker_.roots[warp])
      worker_.roots[warp].reset(a);
    else
      worker_.spare.emplace_back(a);
    a = caller;
  }
}

void Block::fill_kernel_frame(Activation& a, std::uint32_t warp) {
  if (worker_.frames.size() <= warp) worker_.frames.resize(warp + 1);
  std::vector<std::byte>& kept = worker_.frames[warp];
  if (kept.empty()) {
    fill_frame(a, warp, Slots::All);
    kept.assign(a.frame, a.frame + a.program->frame_bytes);
    return;
  }
  if (!a.program->writes_first) {
    std::memcpy(a.frame, kept.data(), kept.size());
  } else if (a.filled_for != warp) {
    // The rest, often most of the frame, keeps what a previous warp left there.
    for (const ConstantSlot& c : a.program->constants) {
      if (!is_of_block(c)) std::memcpy(a.frame + c.slot, kept.data() + c.slot, kLanes * (c.wide ? 8u : 4u));
    }
  }
  a.filled_for = warp;
  fill_frame(a, warp, Slots::OfBlock);
}

void Block::fill_frame(Activation& a, std::uint32_t warp, Slots slots) {
  if (slots == Slots::All) std::memset(a.frame, kUninitialised, a.program->frame_bytes);
  const Dim3& b = launch_.config.block;
  const Dim3& g = launch_.config.grid;
  const std::uint32_t first = warp * kLanes;
  for (const ConstantSlot& c : a.program->constants) {
    if (slots == Slots::OfBlock && !is_of_block(c)) continue;
    const auto fill = [&](auto value_of) {
      if (c.wide) {
        auto* d = reinterpret_cast<std::uint64_t*>(a.frame + c.slot);
        for (std::uint32_t l = 0; l < kLanes; ++l) d[l] = value_of(l);
      } else {
        auto* d = reinterpret_cast<std::uint32_t*>(a.frame + c.slot);
        for (std::uint32_t l = 0; l < kLanes; ++l) d[l] = static_cast<std::uint32_t>(value_of(l));
      }
    };
    const auto uniform = [&](std::uint64_t v) { fill([v](std::uint32_t) { return v; }); };
    switch (c.source) {
      case SlotSource::Value: uniform(c.value); continue;
      case SlotSource::LocalAddress: uniform(a.local_base + c.value); continue;
      case SlotSource::DynamicShared: uniform(launch_.program->dynamic_shared_offset + c.value); continue;
      case SlotSource::Special: break;
    }
    using enum ptx::Special;
    switch (c.special) {
      case TidX: fill([&](std::uint32_t l) -> std::uint64_t { return (first + l) % b.x; }); break;
      case TidY: fill([&](std::uint32_t l) -> std::uint64_t { return (first + l) / b.x % b.y; }); break;
      case TidZ: fill([&](std::uint32_t l) -> std::uint64_t { return (first + l) / b.x / b.y; }); break;
      case NtidX: uniform(b.x); break;
      case NtidY: uniform(b.y); break;
      case NtidZ: uniform(b.z); break;
      case CtaidX: uniform(ctaid_[0]); break;
      case CtaidY: uniform(ctaid_[1]); break;
      case CtaidZ: uniform(ctaid_[2]); break;
      case NctaidX: uniform(g.x); break;
      case NctaidY: uniform(g.y); break;
      case NctaidZ: uniform(g.z); break;
      case LaneId: fill([](std::uint32_t l) -> std::uint64_t { return l; }); break;
      case WarpId: uniform(warp); break;
      case NwarpId: uniform(warps_.size()); break;
      case SmId: uniform(index_ % launch_.multiprocessors); break;
      case NsmId: uniform(launch_.multiprocessors); break;
      case GridId: uniform(launch_.grid_id); break;
      case LanemaskEq: fill([](std::uint32_t l) -> std::uint64_t { return 1u << l; }); break;
      case LanemaskLt: fill([](std::uint32_t l) -> std::uint64_t { return (1u << l) - 1; }); break;
      case LanemaskLe: fill([](std::uint32_t l) -> std::uint64_t { return (2ull << l) - 1; }); break;
      case LanemaskGt:
        fill([](std::uint32_t l) -> std::uint64_t { return kAllLanes & ~((2ull << l) - 1); });
        break;
      case LanemaskGe:
        fill([](std::uint32_t l) -> std::uint64_t { return kAllLanes & ~((1u << l) - 1); });
        break;
      case DynamicSmemSize: uniform(launch_.config.dynamic_shared_bytes); break;
      case TotalSmemSize: uniform(launch_.shared_bytes - launch_.program->reserved_shared_bytes); break;
      // In a cooperative launch the runtime's grid barrier finds its workspace through these two registers.
      case EnvReg1: uniform(launch_.cooperative ? launch_.grid_workspace >> 32 : 0); break;
      case EnvReg2: uniform(launch_.cooperative ? launch_.grid_workspace & 0xFFFFFFFFu : 0); break;
      default: uniform(0); break;
    }
  }
}

/// Reports the instruction at `pc` of the running activation to the observers of each step.
void Block::report_step(std::uint32_t pc, std::uint32_t mask) {
  Exec& x = worker_.exec;
  const WarpStep step{x.activation->program, pc, x.warp, x.activation->depth, mask, x.frame};
  for (WorkerObserver* o : x.every_step) o->step(step);
}

// ---- the warp's loop -------------------------------------------------------------------------------------

/// Where a fragment is while step() runs it, in variables that the compiler keeps in registers.
struct Block::Cursor {
  Warp& warp;
  std::size_t index;  ///< of the fragment in the warp
  Activation* activation;
  const Program& program;
  Tally& tally;
  std::uint32_t mask, pc, limit;
  std::int64_t &quantum, &slice;

  [[nodiscard]] WarpFragment& fragment() const { return warp.splits[index]; }
  /// The fragment goes on at `at` when its turn comes again.
  void leave(std::uint32_t at) const { fragment().pc = at; }
  /// Of the lanes `m` becomes a fragment of its own, which goes on at `at`; the others stay in this one.
  void split_off(std::uint32_t m, std::uint32_t at,
                 WarpFragment::State state = WarpFragment::State::Ready) const {
    fragment().mask = mask & ~m;
    ++activation->users;
    warp.splits.push_back({activation, at, m, state, 0});
  }
};

/// Runs one fragment until it parks, exits, diverges, calls, returns, faults, uses up the quantum, or reaches
/// `limit`, where other lanes of the warp are.
void Block::step(Warp& warp, std::size_t index, std::uint32_t limit, std::int64_t& quantum,
                 std::int64_t& slice) {
  Exec& x = worker_.exec;
  Activation* const activation = warp.splits[index].activation;
  Cursor at{warp,
            index,
            activation,
            *activation->program,
            *activation->tally,
            warp.splits[index].mask,
            warp.splits[index].pc,
            limit,
            quantum,
            slice};
  const Inst* const code = at.program.code.data();
  enter(x, *activation);
  const bool stepwise = !x.every_step.empty();
  for (;;) {
    if (at.pc >= limit) return at.leave(at.pc);
    const Inst& i = code[at.pc];
    if (i.run > 0 && !stepwise) [[likely]] {
      if (!run_straight(at, i)) return;
      continue;
    }
    std::uint32_t m = at.mask;
    if (i.guard != kNone) {
      const std::uint32_t p = predicate(x, i.guard);
      m &= i.guard_negated ? ~p : p;
    }
    ++at.tally.executed[at.pc];
    // An instruction that waits for other lanes is reported when it continues.
    if (stepwise && m != 0 && i.counted && i.flow != Flow::WarpSync) [[unlikely]]
      report_step(at.pc, m);
    if (i.flow > Flow::Checked) {
      if (m != kAllLanes) at.tally.idle_lanes[at.pc] += lanes_off(m);
      if (!run_flow(at, i, m)) return;
      continue;
    }
    x.pc = at.pc;
    if (m == kAllLanes) {
      i.full(x, i, m);
    } else {
      at.tally.idle_lanes[at.pc] += lanes_off(m);
      if (m != 0) i.masked(x, i, m);
    }
    if (x.fault.kind != FaultKind::None) [[unlikely]] {
      raise(at.fragment(), at.pc, x.fault);
      return at.leave(at.pc);
    }
    ++at.pc;
  }
}

/// A run of instructions none of which decides where to go on. False: the fragment has left.
[[gnu::always_inline]] inline bool Block::run_straight(Cursor& at, const Inst& first) {
  Exec& x = worker_.exec;
  Tally& tally = at.tally;
  const Lanes lanes = at.mask == kAllLanes ? Lanes::All : Lanes::Some;
  if (tally.native != nullptr) {
    if (tally.native->has(at.pc, lanes)) {
      const bool on = run_native(*tally.native, at.warp, at.index, at.limit, at.pc, at.quantum, at.slice);
      if (!on) at.leave(at.pc);
      return on;
    }
    std::vector<std::uint32_t>& heat = lanes == Lanes::All ? tally.heat : tally.heat_by_some;
    if (++heat[at.pc] == launch_.hot) tally.native->translate(at.pc, lanes, heat, tally.shapes);
  }
  const Handler Inst::*const handler = lanes == Lanes::All ? &Inst::full : &Inst::masked;
  const std::uint64_t off = lanes_off(at.mask);
  const std::uint32_t end = std::min(at.pc + first.run, at.limit);
  ++tally.runs[at.pc];
  tally.idle_runs[at.pc] += off;
  const Inst* next = &first;
  do {
    x.pc = at.pc++;
    (next->*handler)(x, *next, at.mask);
    ++next;
  } while (x.fault.kind == FaultKind::None && at.pc < end);
  --tally.runs[at.pc];
  tally.idle_runs[at.pc] -= off;
  if (x.fault.kind == FaultKind::None) [[likely]]
    return true;
  raise(at.fragment(), at.pc - 1, x.fault);
  at.leave(at.pc - 1);
  return false;
}

/// An instruction that may decide where the lanes `m` go on. False: the fragment has left.
[[gnu::always_inline]] inline bool Block::run_flow(Cursor& at, const Inst& i, std::uint32_t m) {
  const auto leave = [&](std::uint32_t pc) {
    at.leave(pc);
    return false;
  };
  if (m == 0 && i.flow != Flow::Poll && i.flow != Flow::BranchTable) {
    ++at.pc;
    return true;
  }
  const bool all = m == at.mask;
  switch (i.flow) {
    case Flow::Branch: return run_branch(at, i, m);
    case Flow::Exit: at.leave(at.pc + 1); return exit_lanes(at.warp, at.index, m), false;
    case Flow::Barrier:
      if (!all) {
        at.split_off(m, at.pc, WarpFragment::State::AtBarrier);
        return leave(at.pc + 1);
      }
      at.fragment().state = WarpFragment::State::AtBarrier;
      return leave(at.pc);
    case Flow::Poll: return run_poll(at, i, m);
    case Flow::GiveWay: worker_.exec.waits = true; return leave(at.pc + 1);
    case Flow::Yield:
      ++at.pc;
      if (!hesitates(at.warp)) return true;
      turn_over_ = true;
      return leave(at.pc);
    case Flow::WarpSync: return run_warp_sync(at, i, m);
    case Flow::Call:
      // Calls use the quantum, too: recursion that branches runs practically forever without a loop.
      if (at.program.calls[i.target].builtin == ptx::Builtin::None) --at.quantum;
      if (all) {
        at.leave(at.pc);
        return call(at.warp, at.index, i, m), false;
      }
      at.leave(at.pc + 1);
      at.split_off(m, at.pc);
      return call(at.warp, at.warp.splits.size() - 1, i, m), false;
    case Flow::Return: at.leave(at.pc + 1); return return_from(at.warp, at.index, m), false;
    case Flow::BranchTable: return run_branch_table(at, i, m), false;
    default: return leave(at.pc);
  }
}

[[gnu::always_inline]] inline bool Block::run_branch(Cursor& at, const Inst& i, std::uint32_t m) {
  if (m != at.mask) {
    ++at.tally.divided[at.pc];
    at.leave(at.pc + 1);
    at.split_off(m, i.target);
    return false;
  }
  if (i.target <= at.pc) {
    const auto cost = static_cast<std::int64_t>(at.pc - i.target + 1);
    worker_.exec.clock += static_cast<std::uint64_t>(cost);
    at.quantum -= cost;
    at.slice -= cost;
    if (at.quantum <= 0 || at.slice <= 0) {
      at.leave(i.target);
      return false;
    }
  }
  at.pc = i.target;
  return true;
}

bool Block::run_poll(Cursor& at, const Inst& i, std::uint32_t m) {
  Exec& x = worker_.exec;
  x.pc = at.pc;
  if (m != 0) i.full(x, i, m);
  if (x.fault.kind != FaultKind::None) {
    raise(at.fragment(), at.pc, x.fault);
    at.leave(at.pc);
    return false;
  }
  ++at.pc;
  if (x.waits) at.leave(at.pc);
  return !x.waits;
}

bool Block::run_warp_sync(Cursor& at, const Inst& i, std::uint32_t m) {
  Exec& x = worker_.exec;
  if (m != at.mask) {
    at.leave(at.pc + 1);
    at.split_off(m, at.pc);
    return false;
  }
  at.leave(at.pc);
  const std::uint32_t ready = at.warp.splits.size() == 1 ? m : sync_ready(x, i, m, at.warp.live(), m);
  if (ready != m) {
    at.fragment().state = WarpFragment::State::AtSync;
    if (ready != 0) pass_sync(at.warp, at.index, ready);
    return false;
  }
  x.pc = at.pc;
  if (!x.every_access.empty()) [[unlikely]]
    report_sync(at.warp, m, false);
  if (!x.every_step.empty()) [[unlikely]]
    report_step(at.pc, m);
  sync_groups(x, i, m);
  if (x.fault.kind != FaultKind::None) {
    raise(at.fragment(), at.pc, x.fault);
    return false;
  }
  ++at.pc;
  return true;
}

/// A switch: the lanes of each target become a fragment.
void Block::run_branch_table(Cursor& at, const Inst& i, std::uint32_t m) {
  Exec& x = worker_.exec;
  const auto& table = at.program.branch_tables[i.target];
  const auto* choice = slot<std::uint32_t>(x, i.a);
  bool reused = m != at.mask;  // this fragment, by the lanes that do not jump or by the first target
  if (reused) {
    at.fragment().mask = at.mask & ~m;
    at.leave(at.pc + 1);
  }
  for (std::uint32_t left = m; left != 0;) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    std::uint32_t same = 0;
    each(left, [&](std::uint32_t l) { same |= static_cast<std::uint32_t>(choice[l] == choice[lane]) << l; });
    left &= ~same;
    if (choice[lane] >= table.size()) {
      x.fail(FaultKind::InvalidPc, lane, msg::switch_outside_table());
      raise(at.fragment(), at.pc, x.fault);
      return;
    }
    const std::uint32_t target = table[choice[lane]];
    if (reused) {
      ++at.activation->users;
      at.warp.splits.push_back({at.activation, target, same, WarpFragment::State::Ready, 0});
    } else {
      at.fragment().mask = same;
      at.leave(target);
      reused = true;
    }
  }
  --at.quantum;
}

bool Block::hesitates(Warp& warp) {
  // A few yields of some blocks find everything that yields of all blocks would.
  constexpr std::uint32_t kOfWarp = 6, kOfWorker = 1 << 13;
  if (!launch_.reversed || warp.hesitations >= kOfWarp || worker_.hesitations >= kOfWorker) return false;
  ++warp.hesitations;
  ++worker_.hesitations;
  return hesitated_ = true;
}

Block::Stop Block::run_warp(std::uint32_t w, std::int64_t& quantum) {
  Warp& warp = warps_[w];
  Exec& x = worker_.exec;
  begin_turn(w);
  bool fair = false;
  std::size_t polls = 0;
  for (;;) {
    x.waits = false;
    if (warp.splits.empty()) return Stop::Exited;
    if (warp.splits.size() > 1) merge(warp);
    const bool together = warp.splits.size() == 1;
    if (together && warp.splits[0].state == WarpFragment::State::AtBarrier) {
      arrive(w, 0);
      return Stop::Blocked;
    }
    std::uint32_t limit = kNoLimit;
    const std::size_t chosen =
        together && warp.splits[0].state == WarpFragment::State::Ready ? 0 : choose(warp, fair, limit);
    if (chosen == warp.splits.size()) {  // all splits wait
      if (!resolve_waiting(warp)) return Stop::Faulted;
      continue;
    }
    std::int64_t slice = together ? quantum : std::min(quantum, kSlice);
    warp.splits[chosen].last_run = ++turns_;
    step(warp, chosen, limit, quantum, slice);
    if (fault_.kind != FaultKind::None) return Stop::Faulted;
    if (std::exchange(turn_over_, false)) return Stop::Waiting;
    if (quantum <= 0) return Stop::Preempted;
    // Some split may wait for lanes that have not run yet, or for other warps.
    fair = slice <= 0 || x.waits;
    if (x.waits && ++polls >= warp.splits.size()) return Stop::Waiting;
  }
}

void Block::take_executor() {
  Exec& x = worker_.exec;
  x.shared = shared_;
  x.shared_bytes = launch_.shared_bytes;
  x.bulk = &bulk_;
  x.local_bytes = launch_.local_bytes;
  x.params = launch_.params;
  x.param_bytes = launch_.param_bytes;
  x.block = index_;
  x.fault = {};
  x.clock = clock_;
  x.load_times = launch_.latencies.memory > 0 ? &load_times_ : nullptr;
  hesitated_ = false;
}

Block::End Block::run(std::int64_t& quantum) {
  take_executor();
  Exec& x = worker_.exec;
  const auto count = static_cast<std::uint32_t>(warps_.size());
  // A warp that spins on another warp's write must not keep that warp from running. If blocks have been seen
  // to wait for each other, checking early whether this one does is worthwhile.
  const std::int64_t usual_turn = worker_.blocks_wait ? 1 << 10 : 1 << 16;
  for (;;) {
    std::uint32_t left = count;  // warps that run in this round
    bool goes_on = false;
    bool ran = run_together(quantum, usual_turn, left, goes_on), alive = ran;
    if (fault_.kind != FaultKind::None) return End::Faulted;
    if (quantum <= 0) {
      clock_ = x.clock;
      return End::Preempted;
    }
    for (; left > 0; --left) {
      const std::uint32_t w = in_turn(next_warp_);
      next_warp_ = next_warp_ + 1 == count ? 0 : next_warp_ + 1;
      Warp& warp = warps_[w];
      ++turns_since_look_;
      if (warp.splits.empty()) continue;
      alive = true;
      if (warp.arrived) continue;
      if (worker_.outworn()) [[unlikely]]
        worker_.ask_observers();
      std::int64_t turn = std::min(quantum, usual_turn);
      const std::int64_t before = turn;
      const Stop stop = run_warp(w, turn);
      report_loads(x);
      quantum -= before - turn;
      length_ += static_cast<std::uint64_t>(before - turn);
      ran = true;
      goes_on = goes_on || stop != Stop::Waiting;
      if (stop == Stop::Faulted) return End::Faulted;
      used_since_look_ += before - turn;
      if (turns_since_look_ >= count && used_since_look_ >= usual_turn) {
        turns_since_look_ = 0;
        used_since_look_ = 0;
        if (repeats(*launch_.changes + worker_.changes() - worker_.changes_reported)) {
          clock_ = x.clock;
          worker_.blocks_wait = true;
          return End::Repeats;
        }
      }
      if (quantum <= 0) {
        clock_ = x.clock;
        return End::Preempted;
      }
    }
    if (!alive) break;
    if (hesitated_) {
      clock_ = x.clock;
      return End::Hesitates;
    }
    if (release_barriers()) continue;
    if (ran && !goes_on) {  // all wait, perhaps for other blocks
      turns_since_look_ = 0;
      used_since_look_ = 0;
      clock_ = x.clock;
      return repeats(*launch_.changes + worker_.changes() - worker_.changes_reported) ? End::Repeats
                                                                                      : End::Preempted;
    }
    if (fault_.kind != FaultKind::None) return End::Faulted;
    if (!ran) {
      bool left = false;
      for (const Warp& w : warps_) left = left || !w.splits.empty();
      if (!left) break;
      deadlock();
      return End::Faulted;
    }
  }
  if (bulk_ != nullptr) bulk_->end(x);
  for (auto& o : worker_.observers) o->end_block();
  return End::Done;
}

}  // namespace cudalabs::sim
