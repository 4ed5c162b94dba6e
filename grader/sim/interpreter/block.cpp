#include "grader/sim/interpreter/block.h"

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

/// Runs one split until it parks, exits, diverges, calls, returns, faults, uses up the quantum, or reaches
/// `limit`, where other lanes of the warp are.
void Block::step(Warp& warp, std::size_t index, std::uint32_t limit, std::int64_t& quantum,
                 std::int64_t& slice) {
  Exec& x = worker_.exec;
  Activation* const activation = warp.splits[index].activation;
  const Program& program = *activation->program;
  Tally& tally = *activation->tally;
  const Inst* const code = program.code.data();
  std::uint64_t* const executed = tally.executed.data();
  const std::uint32_t mask = warp.splits[index].mask;
  std::uint32_t pc = warp.splits[index].pc;
  enter(x, *activation);

  const Lanes lanes = mask == kAllLanes ? Lanes::All : Lanes::Some;
  const Handler Inst::*const handler = lanes == Lanes::All ? &Inst::full : &Inst::masked;
  const std::uint64_t off = lanes_off(mask);
  const bool stepwise = !x.every_step.empty();
  const auto leave = [&](std::uint32_t at) { warp.splits[index].pc = at; };
  for (;;) {
    if (pc >= limit) return leave(pc);
    const Inst& i = code[pc];
    if (i.run > 0 && !stepwise) [[likely]] {
      if (tally.native != nullptr) {
        if (tally.native->has(pc, lanes)) {
          if (!run_native(*tally.native, warp, index, limit, pc, quantum, slice)) return leave(pc);
          continue;
        }
        std::vector<std::uint32_t>& heat = lanes == Lanes::All ? tally.heat : tally.heat_by_some;
        if (++heat[pc] == launch_.hot) tally.native->translate(pc, lanes, heat, tally.shapes);
      }
      const std::uint32_t end = std::min(pc + i.run, limit);
      ++tally.runs[pc];
      tally.idle_runs[pc] += off;
      const Inst* next = &i;
      do {
        x.pc = pc++;
        (next->*handler)(x, *next, mask);
        ++next;
      } while (x.fault.kind == FaultKind::None && pc < end);
      --tally.runs[pc];
      tally.idle_runs[pc] -= off;
      if (x.fault.kind != FaultKind::None) [[unlikely]] {
        raise(warp.splits[index], pc - 1, x.fault);
        return leave(pc - 1);
      }
      continue;
    }
    std::uint32_t m = mask;
    if (i.guard != kNone) {
      const std::uint32_t p = predicate(x, i.guard);
      m &= i.guard_negated ? ~p : p;
    }
    ++executed[pc];
    // An instruction that waits for other lanes is reported when it continues.
    if (stepwise && m != 0 && i.counted && i.flow != Flow::WarpSync) [[unlikely]]
      report_step(pc, m);
    if (i.flow <= Flow::Checked) [[likely]] {
      x.pc = pc;
      if (m == kAllLanes) {
        i.full(x, i, m);
      } else {
        tally.idle_lanes[pc] += lanes_off(m);
        if (m != 0) i.masked(x, i, m);
      }
      if (x.fault.kind != FaultKind::None) [[unlikely]] {
        raise(warp.splits[index], pc, x.fault);
        return leave(pc);
      }
      ++pc;
      continue;
    }
    if (m != kAllLanes) tally.idle_lanes[pc] += lanes_off(m);
    switch (i.flow) {
      case Flow::Branch: {
        if (m == 0) {
          ++pc;
          continue;
        }
        if (m != mask) {
          ++tally.divided[pc];
          warp.splits[index].mask = mask & ~m;
          ++activation->users;
          warp.splits.push_back({activation, i.target, m, WarpFragment::State::Ready, 0});
          return leave(pc + 1);
        }
        if (i.target <= pc) {
          const auto cost = static_cast<std::int64_t>(pc - i.target + 1);
          x.clock += static_cast<std::uint64_t>(cost);
          quantum -= cost;
          slice -= cost;
          if (quantum <= 0 || slice <= 0) return leave(i.target);
        }
        pc = i.target;
        continue;
      }
      case Flow::Exit:
        if (m == 0) {
          ++pc;
          continue;
        }
        leave(pc + 1);
        return exit_lanes(warp, index, m);
      case Flow::Barrier:
        if (m == 0) {
          ++pc;
          continue;
        }
        if (m != mask) {
          warp.splits[index].mask = mask & ~m;
          ++activation->users;
          warp.splits.push_back({activation, pc, m, WarpFragment::State::AtBarrier, 0});
          return leave(pc + 1);
        }
        warp.splits[index].state = WarpFragment::State::AtBarrier;
        return leave(pc);
      case Flow::Poll:
        x.pc = pc;
        if (m != 0) i.full(x, i, m);
        if (x.fault.kind != FaultKind::None) {
          raise(warp.splits[index], pc, x.fault);
          return leave(pc);
        }
        ++pc;
        if (x.waits) return leave(pc);
        continue;
      case Flow::GiveWay:
        ++pc;
        if (m == 0) continue;
        x.waits = true;
        return leave(pc);
      case Flow::Yield:
        ++pc;
        if (m == 0 || !hesitates(warp)) continue;
        turn_over_ = true;
        return leave(pc);
      case Flow::WarpSync:
        if (m == 0) {
          ++pc;
          continue;
        }
        if (m != mask) {
          warp.splits[index].mask = mask & ~m;
          ++activation->users;
          warp.splits.push_back({activation, pc, m, WarpFragment::State::Ready, 0});
          return leave(pc + 1);
        }
        warp.splits[index].pc = pc;
        if (const std::uint32_t ready = warp.splits.size() == 1 ? m : sync_ready(x, i, m, warp.live(), m);
            ready != m) {
          warp.splits[index].state = WarpFragment::State::AtSync;
          if (ready != 0) pass_sync(warp, index, ready);
          return;
        }
        x.pc = pc;
        if (!x.every_access.empty()) [[unlikely]]
          report_sync(warp, m, false);
        if (stepwise) [[unlikely]]
          report_step(pc, m);
        sync_groups(x, i, m);
        if (x.fault.kind != FaultKind::None) {
          raise(warp.splits[index], pc, x.fault);
          return;
        }
        ++pc;
        continue;
      case Flow::Call:
        if (m == 0) {
          ++pc;
          continue;
        }
        // Calls use the quantum, too: recursion that branches runs practically forever without a loop.
        if (program.calls[i.target].builtin == ptx::Builtin::None) --quantum;
        if (m != mask) {
          warp.splits[index].mask = mask & ~m;
          ++activation->users;
          leave(pc + 1);
          warp.splits.push_back({activation, pc, m, WarpFragment::State::Ready, 0});
          return call(warp, warp.splits.size() - 1, i, m);
        }
        leave(pc);
        return call(warp, index, i, m);
      case Flow::Return:
        if (m == 0) {
          ++pc;
          continue;
        }
        leave(pc + 1);
        return return_from(warp, index, m);
      case Flow::BranchTable: {
        const auto& table = program.branch_tables[i.target];
        const auto* choice = slot<std::uint32_t>(x, i.a);
        if (m != mask) {
          warp.splits[index].mask = mask & ~m;
          leave(pc + 1);
        }
        std::uint32_t left = m;
        bool reused = m != mask;
        while (left != 0) {
          const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
          std::uint32_t same = 0;
          each(left,
               [&](std::uint32_t l) { same |= static_cast<std::uint32_t>(choice[l] == choice[lane]) << l; });
          left &= ~same;
          if (choice[lane] >= table.size()) {
            x.fail(FaultKind::InvalidPc, lane, "a switch jumped outside its table", "");
            raise(warp.splits[index], pc, x.fault);
            return;
          }
          const std::uint32_t target = table[choice[lane]];
          if (!reused) {
            warp.splits[index].mask = same;
            warp.splits[index].pc = target;
            reused = true;
          } else {
            ++activation->users;
            warp.splits.push_back({activation, target, same, WarpFragment::State::Ready, 0});
          }
        }
        --quantum;
        return;
      }
      default: return leave(pc);
    }
  }
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

Block::End Block::run(std::int64_t& quantum) {
  Exec& x = worker_.exec;
  x.shared = shared_;
  x.shared_bytes = launch_.shared_bytes;
  x.bulk = &bulk_;
  x.local_bytes = launch_.local_bytes;
  x.params = launch_.params;
  x.param_bytes = launch_.param_bytes;
  x.printed = &printed_;
  x.block = index_;
  x.fault = {};
  x.clock = clock_;
  x.load_times = launch_.latencies.memory > 0 ? &load_times_ : nullptr;
  hesitated_ = false;
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
        if (repeats(*launch_.changes + worker_.changes() - worker_.changes_told)) {
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
      return repeats(*launch_.changes + worker_.changes() - worker_.changes_told) ? End::Repeats
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
