#include "grader/simulator/exec/block.h"

#include "grader/simulator/exec/lower.h"

#include <algorithm>
#include <bit>

namespace cudalabs::sim {
namespace {

constexpr std::uint32_t kNoLimit = 0xFFFFFFFFu;
constexpr std::int64_t kSlice =
    4096;  // backward branches' worth of instructions before starving lanes get a turn
constexpr int kUninitialised = 0xCD;

std::byte* aligned(std::vector<std::byte>& storage, std::size_t bytes) {
  if (storage.size() < bytes + 64) storage.resize(bytes + 64);
  const auto at = reinterpret_cast<std::uintptr_t>(storage.data());
  return storage.data() + ((64 - at % 64) % 64);
}

template <class F>
void each(std::uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

/// Calls `f(members, lanes)` for the lanes at a `.sync` instruction that name the same members: the two
/// halves of a warp may meet at one instruction, each with a mask of its own.
template <class F>
void each_mask(Exec& x, const Inst& i, std::uint32_t lanes, F f) {
  const auto* members = slot<std::uint32_t>(x, i.target);
  while (lanes != 0) {
    const std::uint32_t named = members[std::countr_zero(lanes)];
    std::uint32_t same = 0;
    for (std::uint32_t l = 0; l < kLanes; ++l) same |= static_cast<std::uint32_t>(members[l] == named) << l;
    same &= lanes;
    f(named, same);
    lanes &= ~same;
  }
}

/// Those of `lanes` whose members are all `present` (or have left).
std::uint32_t sync_ready(Exec& x, const Inst& i, std::uint32_t lanes, std::uint32_t live,
                         std::uint32_t present) {
  std::uint32_t ready = 0;
  each_mask(x, i, lanes, [&](std::uint32_t members, std::uint32_t same) {
    ready |= (members & live & ~present) == 0 ? same : 0;
  });
  return ready;
}

void sync_groups(Exec& x, const Inst& i, std::uint32_t lanes) {
  each_mask(x, i, lanes, [&](std::uint32_t, std::uint32_t same) { i.full(x, i, same); });
}

}  // namespace

Tally& Worker::tally(const Program& program) {
  auto& t = tallies[&program];
  if (!t) {
    t = std::make_unique<Tally>();
    t->executed.resize(program.code.size());
    t->idle_lanes.resize(program.code.size());
    t->divided.resize(program.code.size());
    t->ranges.resize(program.code.size());
    t->shapes.resize(program.code.size());
  }
  return *t;
}

Block::Block(const LaunchState& launch, Worker& worker, std::uint64_t index)
    : launch_(launch), worker_(worker), index_(index) {
  const Dim3& grid = launch.config.grid;
  ctaid_ = {static_cast<std::uint32_t>(index % grid.x), static_cast<std::uint32_t>(index / grid.x % grid.y),
            static_cast<std::uint32_t>(index / grid.x / grid.y)};
  threads_ = static_cast<std::uint32_t>(launch.config.block.count());
  shared_ = aligned(shared_storage_, launch.shared_bytes);
  std::memset(shared_, kUninitialised, launch.shared_bytes);
  const std::uint32_t warps = (threads_ + kLanes - 1) / kLanes;
  if (launch.local_bytes > 0)
    local_storage_.resize(std::size_t{warps} * kLanes * launch.local_bytes, std::byte{kUninitialised});
  warps_.resize(warps);
  for (std::uint32_t w = 0; w < warps; ++w) {
    const std::uint32_t lanes = std::min(kLanes, threads_ - w * kLanes);
    warps_[w].lanes = lanes == kLanes ? kAllLanes : (1u << lanes) - 1;
    Activation* root = activate(*launch.program, nullptr);
    root->users = 1;
    fill_constants(*root, w);
    warps_[w].splits.push_back({root, 0, warps_[w].lanes, Split::State::Ready, 0});
  }
  for (auto& o : worker.observers) o->begin_block(index);
}

Block::~Block() {
  for (Warp& w : warps_) {
    for (Split& s : w.splits) release(s.activation);
  }
}

Activation* Block::activate(const Program& program, Activation* caller) {
  std::unique_ptr<Activation> a;
  if (worker_.spare.empty()) {
    a = std::make_unique<Activation>();
  } else {
    a = std::move(worker_.spare.back());
    worker_.spare.pop_back();
  }
  a->program = &program;
  a->frame = aligned(a->storage, program.frame_bytes);
  std::memset(a->frame, kUninitialised, program.frame_bytes);
  a->caller = caller;
  a->users = 0;
  a->depth = caller == nullptr ? 0 : caller->depth + 1;
  a->local_base = caller == nullptr ? 0 : caller->local_base + caller->program->local_bytes;
  a->tally = &worker_.tally(program);
  a->site = nullptr;
  if (caller != nullptr) ++caller->users;
  return a.release();
}

void Block::release(Activation* a) {
  while (a != nullptr && --a->users == 0) {
    Activation* caller = a->caller;
    worker_.spare.emplace_back(a);
    a = caller;
  }
}

void Block::fill_constants(Activation& a, std::uint32_t warp) {
  const Dim3& b = launch_.config.block;
  const Dim3& g = launch_.config.grid;
  const std::uint32_t first = warp * kLanes;
  for (const ConstantSlot& c : a.program->constants) {
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
      case TotalSmemSize: uniform(launch_.shared_bytes); break;
      // In a cooperative launch the runtime's grid barrier finds its workspace through these two.
      case EnvReg1: uniform(launch_.cooperative ? launch_.grid_workspace >> 32 : 0); break;
      case EnvReg2: uniform(launch_.cooperative ? launch_.grid_workspace & 0xFFFFFFFFu : 0); break;
      default: uniform(0); break;
    }
  }
}

// ---- faults
// -------------------------------------------------------------------------------------------------------

Fault Block::locate(const Activation& activation, std::uint32_t pc, std::uint32_t lane,
                    std::uint32_t warp) const {
  Fault f;
  f.kernel = launch_.program->kernel;
  const SourcePlace place = source_place(*activation.program, pc);
  f.file = place.file;
  f.line = place.line;
  f.block = ctaid_;
  const std::uint32_t t = warp * kLanes + lane;
  const Dim3& b = launch_.config.block;
  f.thread = {t % b.x, t / b.x % b.y, t / b.x / b.y};
  return f;
}

void Block::raise(const Split& split, std::uint32_t pc, const PendingFault& pending) {
  if (fault_.kind != FaultKind::None) return;
  fault_ = locate(*split.activation, pc, pending.lane, worker_.exec.warp);
  fault_.kind = pending.kind;
  fault_.message = pending.message;
  fault_.advice = pending.advice;
}

Fault Block::whereabouts(FaultKind kind, std::string message, std::string advice) const {
  Fault f;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    if (warps_[w].splits.empty()) continue;
    const Split& s = warps_[w].splits.front();
    f = locate(*s.activation, s.pc, static_cast<std::uint32_t>(std::countr_zero(s.mask)), w);
    break;
  }
  f.kind = kind;
  f.message = std::move(message);
  f.advice = std::move(advice);
  return f;
}

// ---- the warp's loop
// ----------------------------------------------------------------------------------------------

/// Runs one split until it parks, leaves, divides, calls, returns, faults, uses up the quantum, or its pc
/// reaches `limit`, where other lanes of the warp stand.
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
  x.activation = activation;
  x.frame = activation->frame;
  x.shapes = tally.shapes.data();

  const auto leave = [&](std::uint32_t at) { warp.splits[index].pc = at; };
  for (;;) {
    if (pc >= limit) return leave(pc);
    const Inst& i = code[pc];
    std::uint32_t m = mask;
    if (i.guard != kNone) {
      const std::uint32_t p = predicate(x, i.guard);
      m &= i.guard_negated ? ~p : p;
    }
    ++executed[pc];
    if (i.flow <= Flow::Checked) [[likely]] {
      x.pc = pc;
      if (m == kAllLanes) {
        i.full(x, i, m);
      } else {
        tally.idle_lanes[pc] +=
            static_cast<std::uint64_t>(kLanes - static_cast<std::uint32_t>(std::popcount(m)));
        if (m != 0) i.masked(x, i, m);
      }
      if (x.fault.kind != FaultKind::None) [[unlikely]] {
        raise(warp.splits[index], pc, x.fault);
        return leave(pc);
      }
      ++pc;
      continue;
    }
    if (m != kAllLanes)
      tally.idle_lanes[pc] +=
          static_cast<std::uint64_t>(kLanes - static_cast<std::uint32_t>(std::popcount(m)));
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
          warp.splits.push_back({activation, i.target, m, Split::State::Ready, 0});
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
          warp.splits.push_back({activation, pc, m, Split::State::AtBarrier, 0});
          return leave(pc + 1);
        }
        warp.splits[index].state = Split::State::AtBarrier;
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
      case Flow::WarpSync:
        if (m == 0) {
          ++pc;
          continue;
        }
        if (m != mask) {
          warp.splits[index].mask = mask & ~m;
          ++activation->users;
          warp.splits.push_back({activation, pc, m, Split::State::Ready, 0});
          return leave(pc + 1);
        }
        warp.splits[index].pc = pc;
        if (const std::uint32_t ready = warp.splits.size() == 1 ? m : sync_ready(x, i, m, warp.live(), m);
            ready != m) {
          warp.splits[index].state = Split::State::AtSync;
          if (ready != 0) pass_sync(warp, index, ready);
          return;
        }
        x.pc = pc;
        if (!x.every_access.empty()) [[unlikely]]
          tell_sync(warp, m, false);
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
        if (m != mask) {
          warp.splits[index].mask = mask & ~m;
          ++activation->users;
          leave(pc + 1);
          warp.splits.push_back({activation, pc, m, Split::State::Ready, 0});
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
            warp.splits.push_back({activation, target, same, Split::State::Ready, 0});
          }
        }
        --quantum;
        return;
      }
      default: return leave(pc);
    }
  }
}

void Block::exit_lanes(Warp& warp, std::size_t index, std::uint32_t lanes) {
  warp.exited |= lanes;
  Split& s = warp.splits[index];
  for (WorkerObserver* o : worker_.exec.every_access)
    o->exit_lanes(*s.activation->program, s.pc - 1, worker_.exec.warp, lanes);
  // Lanes of this warp that wait at a barrier for the ones that leave now: those were alive and went round
  // it.
  for (const Split& other : warp.splits) {
    if (&other == &s || other.state != Split::State::AtBarrier || fault_.kind != FaultKind::None) continue;
    const auto waiting = static_cast<std::uint32_t>(std::countr_zero(other.mask));
    fault_ = locate(*other.activation, other.pc, waiting, worker_.exec.warp);
    fault_.kind = FaultKind::DivergentBarrier;
    fault_.message =
        "__syncthreads() inside a divergent branch: " + std::to_string(std::popcount(other.mask)) +
        " threads of the warp wait here, " + std::to_string(std::popcount(lanes)) +
        " others of it went past and finished without reaching this barrier";
    fault_.advice = "Move __syncthreads() out of the if, so that every thread of the block reaches it.";
  }
  s.mask &= ~lanes;
  if (s.mask == 0) {
    release(s.activation);
    warp.splits.erase(warp.splits.begin() + static_cast<std::ptrdiff_t>(index));
  }
}

void Block::call(Warp& warp, std::size_t index, const Inst& inst, std::uint32_t mask) {
  Exec& x = worker_.exec;
  Split& s = warp.splits[index];
  Activation* caller = s.activation;
  const CallSite& site = caller->program->calls[inst.target];
  x.pc = s.pc;
  const Program* callee = site.callee;
  if (site.builtin != CallSite::Builtin::None) {
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
  if (callee == nullptr) {  // indirect: the lanes that call the same function go together
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
             "a call through a pointer that is no __device__ function",
             "Function pointers must be taken in device code (or copied from a __device__ variable), not on "
             "the host.");
      return raise(s, s.pc, x.fault);
    }
    callee = (*launch_.programs)[number - 1].get();
    if (callee->params.size() != site.arguments.size() || callee->returns.size() != site.results.size()) {
      x.fail(FaultKind::InvalidPc, static_cast<std::uint32_t>(std::countr_zero(mask)),
             "a function is called through a pointer of another type",
             "The pointer's type must match the function.");
      return raise(s, s.pc, x.fault);
    }
  }
  const std::uint32_t local_end = caller->local_base + caller->program->local_bytes + callee->local_bytes;
  if (caller->depth >= 512 || local_end > launch_.local_bytes) {
    x.fail(FaultKind::StackOverflow, static_cast<std::uint32_t>(std::countr_zero(mask)),
           "stack overflow: " + std::to_string(caller->depth + 1) + " nested calls",
           "Limit the depth of the recursion, or make it a loop.");
    return raise(s, s.pc, x.fault);
  }
  x.clock += s.pc;  // the clock that a lane reads is this plus its pc: it must not go back
  Activation* a = activate(*callee, caller);
  a->return_pc = s.pc + 1;
  a->site = &site;
  a->users = 1;
  fill_constants(*a, x.warp);
  for (std::size_t p = 0; p < site.arguments.size(); ++p) {
    const ParamArea from = site.arguments[p], to = callee->params[p];
    const std::uint32_t bytes = std::min(from.bytes, to.bytes);
    each(going, [&](std::uint32_t l) {
      std::memcpy(a->frame + to.offset + l * to.bytes, caller->frame + from.offset + l * from.bytes, bytes);
    });
  }
  if (going == s.mask) {
    release(caller);  // the split's own hold; the callee keeps one
    s.activation = a;
    s.pc = 0;
  } else {
    s.mask &= ~going;
    warp.splits.push_back({a, 0, going, Split::State::Ready, 0});
  }
}

void Block::return_from(Warp& warp, std::size_t index, std::uint32_t mask) {
  Split& s = warp.splits[index];
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
    warp.splits.push_back({caller, pc, mask, Split::State::Ready, 0});
  }
}

// ---- divergence
// ---------------------------------------------------------------------------------------------------

void Block::merge(Warp& warp) {
  auto& s = warp.splits;
  for (std::size_t i = 0; i < s.size(); ++i) {
    for (std::size_t k = i + 1; k < s.size();) {
      const bool barrier = s[i].state == Split::State::AtBarrier;
      if (s[i].activation == s[k].activation && s[i].pc == s[k].pc &&
          barrier == (s[k].state == Split::State::AtBarrier)) {
        s[i].mask |= s[k].mask;
        if (!barrier)
          s[i].state = Split::State::Ready;  // a wait for lanes is looked at again with more of them
        release(s[k].activation);
        s.erase(s.begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        ++k;
      }
    }
  }
}

/// The split to run: deepest call first, then lowest pc, so that lanes meet again where the paths join. With
/// `fair`, the one that has waited longest. `limit` is where it meets others of its activation.
std::size_t Block::choose(Warp& warp, bool fair, std::uint32_t& limit) const {
  const auto& s = warp.splits;
  std::size_t best = s.size();
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i].state != Split::State::Ready) continue;
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
        s[i].state != Split::State::AtBarrier) {
      limit = std::min(limit, s[i].pc);
    }
  }
  return best;
}

/// `ready` lanes of a waiting split have met all that they wait for and go on; the others stay.
void Block::pass_sync(Warp& warp, std::size_t index, std::uint32_t ready) {
  Exec& x = worker_.exec;
  Split& s = warp.splits[index];
  x.frame = s.activation->frame;
  x.activation = s.activation;
  x.pc = s.pc;
  const Inst& inst = s.activation->program->code[s.pc];
  if (!x.every_access.empty())
    tell_sync(warp, ready, sync_ready(x, inst, ready, warp.live(), s.mask) != ready);
  sync_groups(x, inst, ready);
  if (x.fault.kind != FaultKind::None) return raise(s, s.pc, x.fault);
  if (ready == s.mask) {
    s.state = Split::State::Ready;
    ++s.pc;
    return;
  }
  s.mask &= ~ready;
  ++s.activation->users;
  warp.splits.push_back({s.activation, s.pc + 1, ready, Split::State::Ready, 0});
}

/// Tells those who see everything of the `.sync` instruction at x.pc.
void Block::tell_sync(const Warp& warp, std::uint32_t mask, bool apart) {
  Exec& x = worker_.exec;
  const Program* program = x.activation->program;
  const WarpSync sync{
      program, x.pc, x.warp, mask, warp.exited, slot<std::uint32_t>(x, program->code[x.pc].target), apart};
  for (WorkerObserver* o : x.every_access) o->warp_sync(sync);
}

/// Nobody of the warp can run. Lanes that wait for each other at different `.sync` instructions have all
/// arrived: let them go on. Otherwise it is a barrier that divides the warp. True if somebody can run again.
bool Block::resolve_waiting(Warp& warp) {
  std::uint32_t at_sync = 0;
  for (const Split& s : warp.splits) at_sync |= s.state == Split::State::AtSync ? s.mask : 0;
  if (at_sync != 0) {
    bool any = false;
    for (std::size_t k = 0, count = warp.splits.size(); k < count; ++k) {
      const Split& s = warp.splits[k];
      if (s.state != Split::State::AtSync) continue;
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
    for (const Split& s : warp.splits) {
      if (s.state != Split::State::AtSync) continue;
      fault_ = locate(*s.activation, s.pc, static_cast<std::uint32_t>(std::countr_zero(s.mask)),
                      worker_.exec.warp);
      fault_.kind = FaultKind::Deadlock;
      fault_.message =
          "a warp-wide operation (shuffle, vote, __syncwarp or a product of matrices) waits for lanes of its "
          "mask that wait "
          "somewhere else: nobody can go on";
      fault_.advice = "Every lane named in the mask must reach the same call.";
      return false;
    }
  }
  const Split& a = warp.splits[0];
  const Split& b = warp.splits[1];
  fault_ =
      locate(*a.activation, a.pc, static_cast<std::uint32_t>(std::countr_zero(a.mask)), worker_.exec.warp);
  fault_.kind = FaultKind::DivergentBarrier;
  const SourcePlace other = source_place(*b.activation->program, b.pc);
  fault_.message = "__syncthreads() inside a divergent branch: " + std::to_string(std::popcount(a.mask)) +
                   " threads of the warp wait here, " + std::to_string(std::popcount(b.mask)) +
                   " others of it wait at another barrier" +
                   (other.line != 0 ? " (line " + std::to_string(other.line) + ")" : std::string());
  fault_.advice =
      "Move __syncthreads() out of the if, so that every thread of the block reaches the same one.";
  return false;
}

Block::Stop Block::run_warp(std::uint32_t w, std::int64_t& quantum) {
  Warp& warp = warps_[w];
  Exec& x = worker_.exec;
  x.warp = w;
  x.local = local_storage_.data() + std::size_t{w} * kLanes * launch_.local_bytes;
  bool fair = false;
  std::size_t polls = 0;
  for (;;) {
    x.waits = false;
    if (warp.splits.empty()) return Stop::Exited;
    if (warp.splits.size() > 1) merge(warp);
    std::uint32_t limit = kNoLimit;
    const std::size_t chosen = choose(warp, fair, limit);
    if (chosen == warp.splits.size()) {  // everybody waits
      if (warp.splits.size() == 1 && warp.splits[0].state == Split::State::AtBarrier) {
        arrive(w, 0);
        return Stop::Blocked;
      }
      if (!resolve_waiting(warp)) return Stop::Faulted;
      continue;
    }
    if (warp.splits.size() == 1) limit = kNoLimit;
    std::int64_t slice = warp.splits.size() == 1 ? quantum : std::min(quantum, kSlice);
    warp.splits[chosen].last_run = ++turns_;
    step(warp, chosen, limit, quantum, slice);
    if (fault_.kind != FaultKind::None) return Stop::Faulted;
    if (quantum <= 0) return Stop::Preempted;
    // Somebody may be waiting for lanes that have not had a turn, or for other warps.
    fair = slice <= 0 || x.waits;
    if (x.waits && ++polls >= warp.splits.size()) return Stop::Waiting;
  }
}

// ---- barriers
// -----------------------------------------------------------------------------------------------------

void Block::arrive(std::uint32_t w, std::size_t index) {
  Warp& warp = warps_[w];
  Split& s = warp.splits[index];
  Exec& x = worker_.exec;
  x.frame = s.activation->frame;
  x.activation = s.activation;
  const Inst& i = s.activation->program->code[s.pc];
  const auto lane = std::countr_zero(s.mask);
  const std::uint32_t id = slot<std::uint32_t>(x, i.a)[lane] & 15;
  BarrierState& b = barriers_[id];
  const auto kind = static_cast<BarrierKind>(i.imm);
  b.arrived_threads += kLanes;  // a barrier counts warps: a partial warp stands for a whole one
  if (kind >= BarrierKind::RedPopc) {
    const std::uint32_t p = predicate(x, i.c) & s.mask;
    if (!b.red_started) b.red = kind == BarrierKind::RedAnd ? 1 : 0;
    b.red_started = true;
    if (kind == BarrierKind::RedPopc) b.red += static_cast<std::uint32_t>(std::popcount(p));
    if (kind == BarrierKind::RedAnd) b.red &= p == s.mask ? 1u : 0u;
    if (kind == BarrierKind::RedOr) b.red |= p != 0 ? 1u : 0u;
  }
  if (kind == BarrierKind::Arrive) {
    s.state = Split::State::Ready;
    ++s.pc;
    return;
  }
  warp.arrived = true;
  warp.barrier = id;
}

void Block::tell_opening(const Warp& first, std::uint32_t warp, std::uint32_t id, bool counted) {
  std::vector<std::uint32_t> exited;
  for (const Warp& w : warps_) exited.push_back(w.exited);
  const Split& s = first.splits[0];
  const BarrierOpening opening{s.activation->program,
                               s.pc,
                               id,
                               warp,
                               static_cast<std::uint32_t>(std::countr_zero(s.mask)),
                               counted,
                               exited};
  for (WorkerObserver* o : worker_.exec.every_access) o->barrier(opening);
}

/// Opens the barriers that are complete. True if any was.
bool Block::release_barriers() {
  std::uint32_t waited_for = 0;  // barriers, one bit each
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
      const Split& s = warp.splits[0];
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
      Split& s = warp.splits[0];
      const Split& f = first->splits[0];
      if (wanted == 0 && s.pc != f.pc && fault_.kind == FaultKind::None) {
        // Different copies of one __syncthreads() are the compiler's doing; different lines are the
        // student's.
        const SourcePlace here = source_place(*s.activation->program, s.pc);
        const SourcePlace there = source_place(*f.activation->program, f.pc);
        if (here.line != there.line || here.file != there.file) {
          fault_ = locate(*s.activation, s.pc, static_cast<std::uint32_t>(std::countr_zero(s.mask)), w);
          fault_.kind = FaultKind::DivergentBarrier;
          fault_.message = "the block is divided at a barrier: warp " + std::to_string(w) +
                           " waits at this __syncthreads(), warp " + std::to_string(first_index) +
                           " at the one of line " + std::to_string(there.line);
          fault_.advice =
              "Every thread of the block must reach the same __syncthreads(): move it out of the if.";
          return false;
        }
      }
    }
    if (!worker_.exec.every_access.empty()) tell_opening(*first, first_index, id, wanted != 0);
    for (std::uint32_t w = 0; w < warps_.size(); ++w) {
      Warp& warp = warps_[w];
      if (!warp.arrived || warp.barrier != id) continue;
      Split& s = warp.splits[0];
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
      s.state = Split::State::Ready;
      ++s.pc;
    }
    barriers_[id] = {};
    any = true;
  }
  return any;
}

void Block::deadlock() {
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    if (warps_[w].splits.empty()) continue;
    const Split& s = warps_[w].splits[0];
    fault_ = locate(*s.activation, s.pc, static_cast<std::uint32_t>(std::countr_zero(s.mask)), w);
    break;
  }
  fault_.kind = FaultKind::Deadlock;
  fault_.message = "deadlock: every warp of the block waits at a barrier that cannot open";
  int listed = 0;
  bool phases = false;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    if (warps_[w].splits.empty()) continue;
    phases |= !warps_[w].arrived;
    if (listed >= 4) continue;
    const Split& s = warps_[w].splits[0];
    const SourcePlace place = source_place(*s.activation->program, s.pc);
    fault_.message += (listed++ == 0 ? ": warp " : ", warp ") + std::to_string(w) +
                      (warps_[w].arrived ? " at barrier " + std::to_string(warps_[w].barrier)
                                         : " for a phase of a cuda::barrier") +
                      " (line " + std::to_string(place.line) + ")";
  }
  fault_.advice =
      phases ? "The number given to init() must be the number of threads that arrive in each phase."
             : "The number of threads that a named barrier waits for must be the number that reaches it.";
}

Block::End Block::run(std::int64_t& quantum) {
  Exec& x = worker_.exec;
  x.shared = shared_;
  x.shared_bytes = launch_.shared_bytes;
  x.local_bytes = launch_.local_bytes;
  x.params = launch_.params;
  x.param_bytes = launch_.param_bytes;
  x.printed = &printed_;
  x.fault = {};
  x.clock = clock_;
  for (WorkerObserver* o : x.every_access) o->resume_block(index_);
  const auto count = static_cast<std::uint32_t>(warps_.size());
  // A warp that spins until another one has written something must not keep that other from running.
  constexpr std::int64_t kTurn = 1 << 18;
  // Rounds in which every warp only asked whether a phase has ended, and nobody arrived. Not one round:
  // whoever asks may have a limit of time.
  constexpr std::uint32_t kHopeless = 1 << 19;
  for (;;) {
    bool ran = false, alive = false, hopeful = false;
    const std::uint64_t arrivals = x.arrivals;
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t w = next_warp_;
      next_warp_ = next_warp_ + 1 == count ? 0 : next_warp_ + 1;
      Warp& warp = warps_[w];
      if (warp.splits.empty()) continue;
      alive = true;
      if (warp.arrived) continue;
      std::int64_t turn = std::min(quantum, kTurn);
      const std::int64_t before = turn;
      const Stop stop = run_warp(w, turn);
      quantum -= before - turn;
      ran = true;
      hopeful |= stop != Stop::Waiting;
      if (stop == Stop::Faulted) return End::Faulted;
      if (quantum <= 0) {
        clock_ = x.clock;
        return End::Preempted;
      }
    }
    if (!alive) break;
    if (release_barriers()) continue;
    if (fault_.kind != FaultKind::None) return End::Faulted;
    idle_rounds_ = !ran || hopeful || x.arrivals != arrivals ? 0 : idle_rounds_ + 1;
    if (idle_rounds_ == kHopeless) {
      deadlock();
      return End::Faulted;
    }
    if (!ran) {
      bool left = false;
      for (const Warp& w : warps_) left = left || !w.splits.empty();
      if (!left) break;
      deadlock();
      return End::Faulted;
    }
  }
  for (auto& o : worker_.observers) o->end_block();
  return End::Done;
}

}  // namespace cudalabs::sim
