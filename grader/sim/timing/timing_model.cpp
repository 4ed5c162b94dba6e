#include "grader/sim/timing/timing_model.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <queue>
#include <unordered_map>
#include <utility>

#include "grader/sim/timing/fitted_clocks.h"
#include "grader/sim/timing/memory_path.h"
#include "grader/sim/timing/op_times.h"

namespace cudalabs::sim {
namespace {

/// Minimum number of modelled instructions, if there are more blocks than resident ones.
constexpr std::size_t kOps = 100000;

class Walk {
 public:
  Walk(const WalkedLaunch& launch, const CodeOf& code, const DeviceProfile& p)
      : launch_(launch),
        profile_(p),
        scripts_(launch.traces, code),
        per_multiprocessor_(static_cast<double>(launch.blocks) / launch.busy),
        turns_(static_cast<std::uint64_t>(std::ceil(per_multiprocessor_))),
        memory_(launch, p, per_multiprocessor_ / static_cast<double>(turns_)),
        schedulers_(schedulers_of(p)),
        times_(p),
        fetched_(scripts_.lines, -1) {
    timed_.reserve(scripts_.placed.size());
    for (const PlacedOp& op : scripts_.placed) timed_.push_back(times_.of(op));
    waited_of_.resize(scripts_.placed.size());
  }

  Walked run() {
    slots_.resize(std::min<std::uint64_t>(launch_.resident, turns_));
    const std::uint64_t most = turns_to_walk();
    for (std::uint64_t turn = 0; turn < most; ++turn) halfway_ += script_of(turn).ops;
    halfway_ /= 2;
    const auto warps = static_cast<std::uint32_t>(launch_.traces.front().warps.size());
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      slots_[slot].warps.resize(warps);
      for (std::uint32_t w = 0; w < warps; ++w) {
        const std::size_t number = slot * warps + w;
        Scheduler& scheduler = schedulers_[number % schedulers_.size()];
        slots_[slot].warps[w].scheduler = &scheduler;
        slots_[slot].warps[w].place = scheduler.ready.size();
        scheduler.ready.push_back(kNever);
        scheduler.wants.push_back(0);
        scheduler.places.push_back(event(0, slot, w));
      }
    }
    // There are no measurements of devices without L2.
    next_block_ = profile_.l2_bytes > 0 ? ticks(kNextBlock) : 0;
    launch_gap_ = ticks(profile_.block_launch_clocks * launch_.busy);
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) begin_block(slot, ticks(kFirstBlock));
    while (true) {
      const Event next = take_next();
      if (next != kNobody) {
        advance(next >> 8 & 0xFFF, next & 0xFF, static_cast<Ticks>(next >> 20), most);
      } else if (!open_all()) {
        break;
      }
    }
    return result(most);
  }

 private:
  /// The earliest start of a warp's next instruction: the time in the high bits, the warp's place in the low
  /// bits. So numeric order is time order.
  using Event = std::uint64_t;
  static constexpr Event kNobody = ~Event{0};
  static constexpr Ticks kUnasked = -1;
  static constexpr Ticks kNever = Ticks{1} << 48;
  static constexpr int kPlaceBits = 12;  // index of a warp in its scheduler
  static constexpr auto kMemoryUnit = static_cast<std::uint8_t>(Unit::Memory);
  static Event event(Ticks time, std::uint32_t slot, std::uint32_t warp) {
    return static_cast<Event>(time) << 20 | slot << 8 | warp;
  }
  template <class T>
  using Earliest = std::priority_queue<T, std::vector<T>, std::greater<>>;

  /// The warps that wait to issue an instruction, and when everything but the unit is ready for each.
  struct Scheduler {
    std::vector<Ticks> ready;         ///< by place among its warps; kNever: that warp does not wait here
    std::vector<std::uint8_t> wants;  ///< the unit
    std::vector<Event> places;        ///< of its warps, as in events
    std::array<Ticks, kUnits> unit_free{};
    Ticks free = 0;
    /// The first of its warps, and when, as of the last examination: later events of others cannot make it
    /// earlier.
    Event first = kNobody;
    std::uint32_t first_at = 0;
    bool changed = false;     ///< since then
    std::uint64_t asked = 0;  ///< memory requests at that time
  };

  struct Register {
    Ticks ready = 0;
    std::uint32_t producer = 0;  ///< the op that wrote it
    bool has_parts = false;      ///< the wait's causes are in WarpState::parts; otherwise only the transfer
  };
  struct WarpState {
    Scheduler* scheduler = nullptr;
    std::size_t place = 0;  ///< index among the scheduler's warps
    std::size_t at = 0;
    Ticks next = 0;  ///< earliest start after the previous instruction
    /// For the current op, once examined: when its operands are ready, what they waited for, and when
    /// everything but its unit is ready.
    Ticks operands = 0, ready = kUnasked;
    const Parts* why = nullptr;
    std::uint32_t producer = 0;  ///< of the last of the operands
    bool waits = false;          ///< at a barrier
    bool done = false;
    Ticks copies = 0;  ///< completion of the copies in no group
    std::deque<Ticks> groups;
    std::vector<Register> registers;
    std::vector<Parts> parts;  ///< by register
  };
  struct Slot {
    std::uint64_t turn = 0;
    const Script* script = nullptr;
    std::vector<WarpState> warps;
    std::unordered_map<std::uint32_t, Ticks> words;  ///< when words of atomic loops are free
    std::uint32_t waiting = 0, done = 0;
    Ticks resides = 0;  ///< from when its warps are resident
    Ticks resided = 0;  ///< by those that have ended
    Ticks last = 0;
    bool active = false;
  };

  [[nodiscard]] std::uint64_t turns_to_walk() {
    const std::uint64_t resident = std::min<std::uint64_t>(launch_.resident, turns_);
    // Truncated traces do not follow each other.
    if (!std::ranges::all_of(launch_.traces, [](const TracedBlock& block) { return block.whole; }))
      return resident;
    if (turns_ <= 2 * resident) return turns_;
    std::size_t longest = 1;
    for (std::size_t i = 0; i < launch_.traces.size(); ++i) longest = std::max(longest, scripts_.of(i).ops);
    return std::min<std::uint64_t>(turns_, std::max<std::uint64_t>(kOps / longest, 2 * resident));
  }

  /// The trace for the multiprocessor's block `turn`: the nearest traced one.
  [[nodiscard]] const Script& script_of(std::uint64_t turn) {
    const double position = static_cast<double>(turn) * launch_.busy;
    std::size_t best = 0;
    double distance = -1;
    for (std::size_t i = 0; i < launch_.traces.size(); ++i) {
      const double d = std::abs(static_cast<double>(launch_.traces[i].block) - position);
      if (distance < 0 || d < distance) {
        distance = d;
        best = i;
      }
    }
    return scripts_.of(best);
  }

  void begin_block(std::uint32_t index, Ticks now) {
    Slot& slot = slots_[index];
    const Ticks begins = std::max(now, next_launch_);
    next_launch_ = begins + launch_gap_;
    const Ticks resides = begins - (next_block_ > 0 ? ticks(kResides) : 0);
    replaced_in_ += slot.resided > 0 ? resides - slot.resides : 0;
    replaced_resided_ += std::exchange(slot.resided, 0);
    slot.resides = resides;
    slot.turn = begun_++;
    slot.script = &script_of(slot.turn);
    slots_begun_ += slot.script->slots;
    issued_begun_ += slot.script->issued;
    slot.active = true;
    slot.waiting = slot.done = 0;
    slot.words.clear();
    slot.last = begins;
    for (std::uint32_t w = 0; w < slot.warps.size(); ++w) {
      WarpState& warp = slot.warps[w];
      warp.at = 0;
      warp.next = begins;
      warp.ready = kUnasked;
      warp.waits = warp.done = false;
      warp.copies = 0;
      warp.groups.clear();
      warp.registers.assign(scripts_.registers, {});
      warp.parts.resize(scripts_.registers);
      events_.push(event(begins, index, w));
    }
  }

  /// Removes and returns the first warp to continue.
  Event take_next() {
    while (true) {
      const auto scheduler = std::ranges::min_element(schedulers_, {}, &Scheduler::first);
      if (!events_.empty() && events_.top() <= scheduler->first) {
        const Event first = events_.top();
        events_.pop();
        return first;
      }
      if (scheduler->first == kNobody) return kNobody;
      const bool waits_longer =
          scheduler->wants[scheduler->first_at] == kMemoryUnit && scheduler->asked != asked_;
      if (!scheduler->changed && !waits_longer) {
        scheduler->ready[scheduler->first_at] = kNever;
        scheduler->changed = true;
        return scheduler->first;
      }
      look(*scheduler);
    }
  }

  /// Finds the scheduler's first warp.
  void look(Scheduler& scheduler) {
    std::array<Ticks, kUnits> from;
    for (std::size_t unit = 0; unit < kUnits; ++unit)
      from[unit] = free_from(scheduler, static_cast<Unit>(unit));
    // Ties go to the lowest place.
    Ticks least = kNever << kPlaceBits;
    for (std::size_t i = 0; i < scheduler.ready.size(); ++i) {
      const Ticks ready = scheduler.ready[i], free = from[scheduler.wants[i]];
      const Ticks at = (ready > free ? ready : free) << kPlaceBits | static_cast<Ticks>(i);
      least = at < least ? at : least;
    }
    scheduler.changed = false;
    scheduler.asked = asked_;
    scheduler.first = kNobody;
    if (least >> kPlaceBits >= kNever) return;
    scheduler.first_at = static_cast<std::uint32_t>(least & ((1 << kPlaceBits) - 1));
    scheduler.first = static_cast<Event>(least >> kPlaceBits) << 20 | scheduler.places[scheduler.first_at];
  }

  void advance(std::uint32_t index, std::uint32_t w, Ticks time, std::uint64_t most) {
    Slot& slot = slots_[index];
    WarpState& warp = slot.warps[w];
    const auto& ops = slot.script->warps[w];
    Scheduler& scheduler = *warp.scheduler;
    while (true) {
      if (warp.at >= ops.size()) return end_warp(index, w, most);
      const ScriptOp step = ops[warp.at];
      const TimedOp& op = timed_[step.placed];
      if (op.vanishes) {
        vanish(warp, op);
      } else {
        if (warp.ready == kUnasked) ask(warp, op);
        const auto unit = static_cast<std::uint8_t>(op.op.op->unit);
        const Ticks at = std::max(warp.ready, free_from(scheduler, op.op.op->unit));
        if (at > time) {
          // Another warp may come first.
          scheduler.ready[warp.place] = warp.ready;
          scheduler.wants[warp.place] = unit;
          scheduler.changed = true;
          scheduler.first = std::min(scheduler.first, event(at, index, w));
          return;
        }
        issue(slot, warp, scheduler, op, step.access, time);
        warp.ready = kUnasked;
      }
      if (++issued_ == halfway_) half_ = time;
      ++warp.at;
      if (warp.waits) {
        ++slot.waiting;
        slot.last = std::max(slot.last, time);
        if (slot.waiting + slot.done == slot.warps.size()) open(index, time);
        return;
      }
    }
  }

  struct Operands {
    Ticks ready = 0;
    const Parts* why = nullptr;  ///< what the last one waited for; null: only the transfer
    std::uint32_t producer = 0;  ///< of the last one
  };
  [[nodiscard]] static Operands operands(const WarpState& warp, const PlacedOp& o, std::uint32_t self) {
    Operands last{0, nullptr, self};
    for (std::uint32_t k = 0; k < o.op->reads; ++k) {
      const std::size_t number = o.base + o.registers[k];
      const Register& reg = warp.registers[number];
      if (reg.ready <= last.ready) continue;
      last = {reg.ready, reg.has_parts ? &warp.parts[number] : nullptr, reg.producer};
    }
    return last;
  }

  /// Computes when everything that the instruction needs except its unit is ready.
  void ask(WarpState& warp, const TimedOp& timed) {
    const PlacedOp& o = timed.op;
    Ticks& fetched = fetched_[o.line];
    if (fetched < 0) fetched = warp.next + ticks(kFetch);
    const Operands last = operands(warp, o, number_of(timed));
    warp.operands = last.ready;
    warp.why = last.why;
    warp.producer = last.producer;
    warp.ready = std::max({warp.next, fetched, warp.operands});
    if (o.op->step == Step::AsyncWait) warp.ready = std::max(warp.ready, copies_done(warp, o.op->groups));
  }

  /// When the scheduler and its unit can start the next instruction, as far as known now.
  [[nodiscard]] Ticks free_from(const Scheduler& scheduler, Unit unit) const {
    const Ticks at = std::max(scheduler.free, scheduler.unit_free[static_cast<std::size_t>(unit)]);
    if (unit != Unit::Memory) return at;
    return std::max({at, memory_.pipe.free() - ticks(kPipeAhead), memory_.has_room()});
  }

  static Ticks copies_done(const WarpState& warp, std::uint32_t left) {
    Ticks done = 0;
    for (std::size_t i = 0; i + left < warp.groups.size(); ++i) done = std::max(done, warp.groups[i]);
    return done;
  }

  /// A merged instruction costs nothing and does not wait: the readers of its result wait.
  void vanish(WarpState& warp, const TimedOp& timed) {
    const PlacedOp& o = timed.op;
    const MachineOp& op = *o.op;
    const Ticks now = warp.next;
    auto [there, why, producer] = operands(warp, o, number_of(timed));
    there = std::max(there, now);
    if (op.unit == Unit::Memory && op.wait != Wait::Unit) {  // part of a wider load
      there = now + ticks(profile_.shared_latency);
      why = nullptr;
      producer = number_of(timed);
    }
    if (op.parameter) {
      if (parameters_ < 0) parameters_ = now + ticks(kParameters);
      there = parameters_;
      why = nullptr;
      producer = number_of(timed);
    }
    const Parts kept = why != nullptr ? *why : Parts{};  // the destination may be a source
    write(warp, o, there, why != nullptr ? &kept : nullptr, producer);
  }

  void issue(Slot& slot, WarpState& warp, Scheduler& scheduler, const TimedOp& timed, std::uint32_t access,
             Ticks now) {
    const MachineOp& op = *timed.op.op;
    charge_issue(timed, warp, now);
    scheduler.free = now + timed.issuing;
    Ticks& free = scheduler.unit_free[static_cast<std::size_t>(op.unit)];
    free = std::max(free, now) + timed.busy;
    warp.next = now + timed.issuing;
    Ticks result = now + timed.latency;
    if (op.routine) {
      result = warp.next = now + times_.of_routine(op);
      wait(kWay, result - now - timed.issuing, number_of(timed));
    }
    switch (op.step) {
      case Step::Branch: warp.next = now + ticks(kBranch); break;
      case Step::AsyncCommit:
        warp.groups.push_back(warp.copies);
        warp.copies = 0;
        break;
      case Step::Barrier: warp.waits = true; break;
      default: break;
    }
    if (op.unit == Unit::Memory) {
      ++asked_;
      Parts met{};
      result = reach(slot, warp, timed, access, now, met);
      write(warp, timed.op, result, &met, number_of(timed));
    } else {
      write(warp, timed.op, result, nullptr, number_of(timed));
    }
    slot.last = std::max(slot.last, warp.next);
  }

  void charge_issue(const TimedOp& timed, const WarpState& warp, Ticks now) {
    const MachineOp& op = *timed.op.op;
    if (warp.operands > warp.next)
      charge(warp.why != nullptr ? *warp.why : Parts{}, warp.operands - warp.next, warp.producer);
    const Ticks rest = std::max<Ticks>(0, now - std::max(warp.next, warp.operands));
    const WaitFor own = op.unit == Unit::Double ? kDoubles : kIssue;
    const WaitFor queue = memory_.has_room() >= now ? memory_.longest() : kShared;
    const std::uint32_t number = number_of(timed);
    wait(op.unit == Unit::Memory ? queue : op.step == Step::AsyncWait ? kWay : own, rest, number);
    wait(own, timed.issuing, number);
  }

  /// When the result of an instruction of the memory unit arrives.
  Ticks reach(Slot& slot, WarpState& warp, const TimedOp& timed, std::uint32_t access, Ticks now,
              Parts& met) {
    const PlacedOp& o = timed.op;
    const Ticks shared = ticks(profile_.shared_latency);
    if (access == TracedStep::kNoAccess) {
      if (o.op->wait != Wait::Shared) return now;  // skipped by all lanes
      pass(now, 1);
      return now + shared;
    }
    const TracedAccess& a = slot.script->block->accesses[access];
    if (a.space == AccessSpace::Constant) {
      if (a.wavefronts < 2) return now + shared;
      const Ticks begins = std::max(now, constant_free_);
      constant_free_ = begins + ticks(kConstant * a.wavefronts);
      met[kShared] = begins - now + ticks(kConstantLater * (a.wavefronts - 1));
      met[kWay] = shared;
      last_ = std::max(last_, constant_free_);
      return now + met[kShared] + shared;
    }
    if (a.space != AccessSpace::Shared) {
      const Ticks there = memory_.access(*slot.script->block, a, now, slot.turn, o.op->uncached, met);
      if (a.copied > 0) pass(now, a.copied);
      if (o.op->step == Step::AsyncCopy) warp.copies = std::max(warp.copies, there);
      if (a.kind == AccessKind::Atomic) last_ = std::max(last_, there);
      return there;
    }
    if (a.loops) {
      // A second warp finds the word changed, and starts again.
      Ticks& free = slot.words[a.word];
      const Ticks begins = std::max(now, free);
      free = begins + ticks(kLoopHolds * a.wavefronts);
      pass(now, kLoopPasses * a.wavefronts);
      met[kShared] = begins - now;
      met[kWay] = ticks(kLoop * a.wavefronts);
      warp.next = begins + met[kWay];
      charge(met, warp.next - now, number_of(timed));
      return warp.next;
    }
    const Ticks begins = pass(now, a.wavefronts);
    const Ticks passes = ticks(a.wavefronts / profile_.wavefronts_per_clock);
    met[kShared] = begins - now + passes;
    met[kWay] = shared;
    last_ = std::max(last_, begins + passes);
    return begins + passes - std::min(passes, ticks(1)) + shared;
  }

  Ticks pass(Ticks now, double wavefronts) {
    return memory_.pipe.enter(now, ticks(wavefronts / profile_.wavefronts_per_clock));
  }

  static void write(WarpState& warp, const PlacedOp& o, Ticks ready, const Parts* parts,
                    std::uint32_t producer) {
    for (std::uint32_t k = 0; k < o.op->writes; ++k) {
      const std::size_t number = o.base + o.registers[o.op->reads + k];
      warp.registers[number] = {ready, producer, parts != nullptr};
      if (parts != nullptr) warp.parts[number] = *parts;
    }
  }

  /// Index of an op into Scripts::placed.
  [[nodiscard]] std::uint32_t number_of(const TimedOp& timed) const {
    return static_cast<std::uint32_t>(&timed - timed_.data());
  }

  void wait(WaitFor what, Ticks wait, std::uint32_t because_of) {
    waited_[what] += wait;
    waited_of_[because_of] += wait;
  }

  /// Charges a wait for a result to the causes of its producer's waits.
  void charge(const Parts& why, Ticks wait, std::uint32_t producer) {
    waited_of_[producer] += wait;
    const Ticks sum = std::accumulate(why.begin(), why.end(), Ticks{0});
    if (sum <= 0) {
      waited_[kWay] += wait;
      return;
    }
    for (std::size_t k = 0; k < why.size(); ++k)
      waited_[k] += static_cast<Ticks>(static_cast<double>(wait) * static_cast<double>(why[k]) /
                                       static_cast<double>(sum));
  }

  void end_warp(std::uint32_t index, std::uint32_t w, std::uint64_t most) {
    Slot& slot = slots_[index];
    WarpState& warp = slot.warps[w];
    if (warp.done) return;
    warp.done = true;
    ++slot.done;
    slot.last = std::max(slot.last, warp.next);
    slot.resided += warp.next - slot.resides;
    resided_ += warp.next - slot.resides;
    if (slot.done == slot.warps.size()) {
      slot.active = false;
      ended_.push_back(slot.last);
      if (begun_ < most) begin_block(index, slot.last + next_block_);
      return;
    }
    if (slot.waiting > 0 && slot.waiting + slot.done == slot.warps.size()) open(index, slot.last);
  }

  void open(std::uint32_t index, Ticks now) {
    Slot& slot = slots_[index];
    // The barrier unit handles one warp after the other.
    const Ticks begins = std::max(now, barrier_free_);
    barrier_free_ = begins + ticks(kBarrierWarp * slot.waiting);
    const Ticks opens = barrier_free_ + ticks(profile_.barrier_latency);
    slot.waiting = 0;
    for (std::uint32_t w = 0; w < slot.warps.size(); ++w) {
      WarpState& warp = slot.warps[w];
      if (!warp.waits) continue;
      warp.waits = false;
      wait(kWay, ticks(profile_.barrier_latency), slot.script->warps[w][warp.at - 1].placed);
      warp.next = opens;
      events_.push(event(opens, index, w));
    }
  }

  /// No warp can continue: opens barriers that only some of the warps have reached.
  bool open_all() {
    bool any = false;
    for (std::uint32_t s = 0; s < slots_.size(); ++s) {
      if (!slots_[s].active || slots_[s].waiting == 0) continue;
      open(s, slots_[s].last);
      any = true;
    }
    return any;
  }

  Walked result(std::uint64_t most) {
    std::sort(ended_.begin(), ended_.end());
    const Ticks last = std::max(ended_.empty() ? 0 : ended_.back(), last_);
    const Ticks end = std::max(last, memory_.done());
    // The remaining warps wait for the pending requests.
    waited_[memory_.longest()] +=
        (end - last) * static_cast<Ticks>(slots_.front().warps.size() * slots_.size());
    Walked walked;
    walked.clocks = static_cast<double>(end) / kTicks;
    if (turns_ > most) {
      // From the end of the first half to the last end. Truncated blocks all start at the same time.
      const std::uint64_t resident = slots_.size();
      const std::size_t from = std::max(most / 2, std::min(resident, most - 1));
      const bool follow = most > resident && from > 0 && ended_.size() > from;
      const double rate = follow ? static_cast<double>(ended_.back() - ended_[from - 1]) /
                                       static_cast<double>(ended_.size() - from)
                                 : static_cast<double>(end) / static_cast<double>(most);
      walked.clocks += rate / kTicks * static_cast<double>(turns_ - most);
    }
    const double blocks = static_cast<double>(launch_.blocks) / static_cast<double>(most);
    walked.slots = static_cast<double>(slots_begun_) * blocks;
    walked.issued = static_cast<double>(issued_begun_) * blocks;
    // Most blocks of a long launch are followed by another.
    const bool replaced = turns_ > most && replaced_in_ > 0;
    const Ticks resided = replaced ? replaced_resided_ * static_cast<Ticks>(slots_.size()) : resided_;
    const Ticks active = replaced ? replaced_in_ : last - ticks(kFirstBlock);
    if (active > 0) walked.warps = static_cast<double>(resided) / static_cast<double>(active);
    walked.memory_sectors = memory_.memory_sectors() * blocks;
    walked.l2_sectors = memory_.l2_sectors() * blocks;
    if (end > 0) walked.late = 2 * static_cast<double>(end - half_) / static_cast<double>(end);
    const double sum = static_cast<double>(std::accumulate(waited_.begin(), waited_.end(), Ticks{0}));
    const auto part = [&](WaitFor what) { return sum > 0 ? static_cast<double>(waited_[what]) / sum : 0; };
    walked.waits.issue = part(kIssue);
    walked.waits.doubles = part(kDoubles);
    walked.waits.shared = part(kShared);
    walked.waits.l2 = part(kL2);
    walked.waits.memory = part(kMemory);
    walked.waits.atomics = part(kAtomics);
    walked.waits.latency = part(kWay);
    if (launch_.by_line) tell_instructions(walked);
    return walked;
  }

  void tell_instructions(Walked& walked) const {
    const auto sum = static_cast<double>(std::accumulate(waited_of_.begin(), waited_of_.end(), Ticks{0}));
    scripts_.each_function([&](const Program& program, std::uint32_t first, std::size_t count) {
      for (std::size_t k = first; k < first + count; ++k) {
        if (waited_of_[k] == 0) continue;
        walked.instructions.push_back(
            {&program, scripts_.placed[k].op->instruction, static_cast<double>(waited_of_[k]) / sum});
      }
    });
  }

  const WalkedLaunch& launch_;
  const DeviceProfile& profile_;
  Scripts scripts_;
  double per_multiprocessor_;
  std::uint64_t turns_;
  MemoryPath memory_;
  std::vector<Scheduler> schedulers_;
  OpTimes times_;
  std::vector<TimedOp> timed_;  ///< by index into Scripts::placed
  std::vector<Ticks> fetched_;  ///< when a line of machine code arrives; -1: not requested yet
  Ticks parameters_ = -1;
  Ticks launch_gap_ = 0, next_block_ = 0, next_launch_ = 0, barrier_free_ = 0, constant_free_ = 0, last_ = 0;
  std::size_t issued_ = 0, halfway_ = 0;  // ops
  Ticks half_ = 0;
  std::uint64_t slots_begun_ = 0, issued_begun_ = 0;
  std::uint64_t begun_ = 0;
  std::vector<Slot> slots_;
  std::uint64_t asked_ = 0;  ///< requests to the memory unit
  Ticks resided_ = 0;        ///< by warps that have ended, from the start of their blocks
  /// The same of blocks that another one has followed, and from their starts to those of the next ones.
  Ticks replaced_resided_ = 0, replaced_in_ = 0;
  Parts waited_{};
  std::vector<Ticks> waited_of_;  ///< the same, by the op because of which; by index into Scripts::placed
  std::vector<Ticks> ended_;
  Earliest<Event> events_;  ///< warps that start, or leave a barrier
};

}  // namespace

Walked run_timing_model(const WalkedLaunch& launch, const CodeOf& code, const DeviceProfile& profile) {
  return Walk(launch, code, profile).run();
}

}  // namespace cudalabs::sim
