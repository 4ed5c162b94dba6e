#include "grader/sim/checkers/race/racecheck.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "grader/sim/checkers/race/access_reports.h"
#include "grader/sim/checkers/race/race_block.h"
#include "grader/sim/checkers/race/race_shadow.h"
#include "grader/sim/checkers/race/release_acquire.h"
#include "grader/sim/checkers/race/shared_phase.h"
#include "grader/sim/checkers/race/stored_values.h"
#include "grader/sim/executable/lane_pattern.h"

namespace cudalabs::sim {
namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 kPage = AreaPages::kPage;

class RaceWorker : public AccessReports {
 public:
  /// `lone`: only one block of the launch is watched, and only its shared memory is checked.
  RaceWorker(const LaunchInfo& launch, bool lone, bool whole_runs)
      : AccessReports(launch), lone_(lone), whole_runs_(whole_runs) {}

  void resume_block(u64 block) override {
    block_ = static_cast<u32>(block);
    auto& state = blocks_[block_];
    if (!state) {
      if (spare_.empty()) {
        state = std::make_unique<RaceBlock>(launch_.program->static_shared_bytes +
                                            launch_.program->dynamic_shared_offset +
                                            launch_.config.dynamic_shared_bytes + 16);
      } else {
        state = std::move(spare_.back());
        spare_.pop_back();
        state->reuse();
      }
      state->past.begin(block_, time_++);
    }
    state_ = state.get();
  }

  void end_block() override {
    spare_.push_back(std::move(blocks_[block_]));
    blocks_.erase(block_);
  }

  void barrier(const BarrierOpening& opening) override {
    if (!opening.whole) return meet(opening);
    state_->past.barrier(time_++);
    state_->phase.barrier();
  }

  void barrier_arrive(u32 warp, u32 id) override {
    state_->past.arrive(warp, BlockPast::named_barrier(id), false, time_++);
  }

  /// Shuffles, votes and matrix instructions wait for lanes, but order no memory accesses.
  void warp_sync(const WarpSync& s) override {
    if (instruction(site(s.program, s.instruction)).op != ptx::Op::BarWarp) return;
    if (state_->phase.holds_loads_of(s.warp)) mark_put_off();  // the marks of loads depend on the last sync
    state_->synced[s.warp].pass(s.mask, time_++);
  }

  void fence(u32 warp, bool within_block) override { state_->past.fence(warp, within_block, time_++); }

  void mbarrier_arrive(u32 warp, u32 offset, bool completes) override {
    state_->past.arrive(warp, offset, completes, time_++);
  }

  void mbarrier_pass(u32 warp, u32 offset) override {
    if (state_->phase.holds_loads_of(warp)) mark_put_off();
    state_->past.pass(warp, offset);
    ++time_;
  }

  void access(const WarpAccess& a) override {
    if (a.space == AccessSpace::Local || a.space == AccessSpace::Constant) return;
    const u32 kept = kept_lanes(a);
    if (kept == a.mask) return look(a);
    if (kept == 0) return;
    WarpAccess narrowed = a;
    narrowed.mask = kept;
    std::array<u32, kLanes> offsets;
    if (a.space == AccessSpace::Shared) {
      // Inactive lanes hold the address of an active one.
      const auto first = static_cast<u32>(std::countr_zero(kept));
      for (u32 i = 0; i < kLanes; ++i) offsets[i] = a.offsets[(kept >> i) & 1 ? i : first];
      narrowed.offsets = offsets.data();
    }
    look(narrowed);
  }

  /// The destination counts as written from the issue of the copy until now.
  void copy_landed(const WarpAccess& a) override { access(a); }

  [[nodiscard]] bool takes_shared_loads() const override { return true; }
  void shared_loads(const SharedLoads& told) override {
    const u32 first = site(told.program, 0);
    if (!partly_used_ && state_->shared.shift() == 2) {
      if (state_->phase.full()) mark_put_off();
      if (state_->phase.put_off(told, first, time_)) return;
    }
    for (const SharedLoad& load : told.loads) {
      std::array<u32, kLanes> offsets;
      access(by_itself(told, load, offsets));
    }
  }

 private:
  /// A barrier that only some warps of the block wait at.
  void meet(const BarrierOpening& opening) {
    mark_put_off();  // the marks of loads depend on their warps' synchronization so far
    const u32 barrier = BlockPast::named_barrier(opening.id);
    const auto each_warp = [&](auto f) {
      for (u32 left = opening.warps; left != 0; left &= left - 1) f(static_cast<u32>(std::countr_zero(left)));
    };
    each_warp([&](u32 warp) { state_->past.arrive(warp, barrier, true, time_); });
    each_warp([&](u32 warp) {
      state_->past.pass(warp, barrier);
      state_->synced[warp].pass(kAllLanes, time_);
    });
    ++time_;
  }

  void look(const WarpAccess& a) {
    access_ = &a;
    warp_ = a.warp;
    site_ = site(a.program, a.instruction);
    shared_ = a.space == AccessSpace::Shared;
    if (a.kind != AccessKind::Load) ++time_;
    const Site& s = sites_[site_];
    const bool communicates = a.kind == AccessKind::Atomic || s.strong;
    if (communicates && s.release) fence(warp_, s.within_block);
    meet_others();
    if (!communicates) return;
    if (handed_over_.concerns(state_->past, warp_)) hand_over(s);
    if (a.kind != AccessKind::Store) ++time_;
  }

  void meet_others() {
    const WarpAccess& a = *access_;
    if (!shared_) {
      if (!lone_) each_lane(a.addresses);
    } else if (!put_off()) {
      each_lane(a.offsets);
    }
  }

  template <class A>
  void each_lane(const A* addresses) {
    const WarpAccess& a = *access_;
    const u32 first = static_cast<u32>(std::countr_zero(a.mask));
    const u32 last = static_cast<u32>(31 - std::countl_zero(a.mask));
    alone_ = 0;
    if (a.kind == AccessKind::Load && addresses[first] == addresses[last]) {
      A differ = 0;  // inactive lanes hold the address of an active one
      for (u32 i = 0; i < kLanes; ++i) differ |= addresses[i] ^ addresses[first];
      if (differ == 0) return cells(addresses[first], a.maker(first), a.maker(last));
    }
    const bool of_lanes = whole_runs_ && a.sole_lane == WarpAccess::kNoLane;
    const bool plain = of_lanes && a.kind != AccessKind::Atomic && !sites_[site_].strong &&
                       (!partly_used_ || all_used(sites_[site_], a.width));
    if (!plain) {
      for (u32 left = a.mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<u32>(std::countr_zero(left));
        cells(addresses[lane], a.maker(lane), a.maker(lane));
      }
      return;
    }
    const bool word = a.kind == AccessKind::Load && a.width == 4;
    each_stretch(a, a.mask, addresses, [&](u32 lane, u32 lanes) {
      if (lanes > 1)
        side_by_side(lane, lanes, addresses[lane]);
      else if (!word || !is_old_news(addresses[lane]))
        cells(addresses[lane], lane, lane);
    });
  }

  /// Two other warps have read this word in this phase, and none writes it: a load needs no check or mark.
  [[nodiscard]] bool is_old_news(u64 address) {
    const Area& area = shared_ ? state_->shared : pages_.at(address);
    if (area.shift() != 2 || area.writes || area.atomics || !area.reads) return false;
    // A cell inside a run has no entry of its own.
    const MarkPair& p = area.reads[(shared_ ? address : address % kPage) / 4];
    return is_of_another(p.first) && is_of_another(p.second);
  }
  [[nodiscard]] bool is_of_another(const Mark& m) const {
    return fresh(m) && (m.warp != warp_ || m.block != block_) && !state_->past.knows(warp_, m);
  }

  /// Checks adjacent lanes from `lane` on; they access memory from `begin` on, aligned to the width.
  void side_by_side(u32 lane, u32 lanes, u64 begin) {
    each_run(
        lane, lanes, begin, [this](Area& area, u64 c) { return whole(area, c); },
        [this](Area& area, u64 c, u64 at) { cell(area, c, at); });
  }
  /// Calls run(area, first cell) for runs. Where it returns false, and for individual cells, calls cell(area,
  /// cell, place of its lane's first byte in the area).
  template <class Run, class Cell>
  void each_run(u32 lane, u32 lanes, u64 begin, Run run, Cell cell) {
    const u32 width = access_->width;
    const u64 end = begin + u64{lanes} * width;
    u32 reported_for = kLanes;
    for (u64 address = begin; address < end;) {
      Area& area = area_at(address);
      const u64 at = shared_ ? address : address % kPage;
      const u64 stop = shared_ ? at + (end - address) : std::min(at + (end - address), kPage);
      const u64 first = at >> area.shift(), last = stop >> area.shift();
      const u32 of_lane = static_cast<u32>(std::countr_zero(width)) - area.shift();
      const u32 lane_here = lane + static_cast<u32>((address - begin) / width);
      area.each_run(first, last, lane_here, of_lane, [&](u64 c, u64 until, LaneRule rule) {
        low_ = high_ = rule;
        if (!area.is_apart(c) && run(area, c)) return;
        for (; c < until; ++c) {
          low_ = high_ = lane_at(rule, c);
          if (low_ != reported_for) reported_ = 0;
          reported_for = low_;
          address_ = begin + u64{low_ - lane} * width;
          cell(area, c, at + (address_ - address));
        }
      });
      address += stop - at;
    }
  }

  /// Defers the access. False: an access in shared memory must be checked now.
  bool put_off() {
    SharedPhase& phase = state_->phase;
    if (phase.full()) mark_put_off();
    const bool whole = !partly_used_ || all_used(sites_[site_], access_->width);
    const bool of_lanes = access_->sole_lane == WarpAccess::kNoLane;
    if (whole && of_lanes && access_->width >= 4 && state_->shared.shift() == 2 &&
        phase.put_off(*access_, site_, time_))
      return true;
    mark_put_off();
    phase.mix();
    return false;
  }

  /// Writes the marks of this phase's deferred accesses, none of which is a race.
  void mark_put_off() {
    if (state_->phase.empty()) return;
    const auto now = std::tuple(access_, warp_, site_, time_, shared_);
    WarpAccess a;
    access_ = &a;
    shared_ = true;
    Area& area = state_->shared;
    state_->phase.take([&](const SharedPhase::Access& access, const std::array<u32, kLanes>& offsets) {
      a.kind = access.kind;
      a.width = access.width;
      warp_ = access.warp;
      site_ = access.site;
      time_ = access.time;
      const auto mark_words = [&](u32 lane, u32 low, u32 high) {
        low_ = low;
        high_ = high;
        for (u32 word = offsets[lane] / 4; word < (offsets[lane] + access.width) / 4; ++word) {
          if (low == high)
            area.set_line_apart(word / Area::kLine);
          else
            area.set_apart(word);
          leave_mark(area, word);
        }
      };
      if (a.kind == AccessKind::Load && access.listed == 0 && access.distance == 0) {
        return mark_words(0, static_cast<u32>(std::countr_zero(access.mask)),
                          static_cast<u32>(31 - std::countl_zero(access.mask)));
      }
      if (whole_runs_ && access.listed == 0 && access.mask == kAllLanes && access.distance == access.width) {
        return each_run(
            0, kLanes, access.first, [this](Area& of, u64 c) { return leave_mark(of, c); },
            [this](Area& of, u64 c, u64) {
              of.set_apart(c);
              leave_mark(of, c);
            });
      }
      for (u32 left = access.mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<u32>(std::countr_zero(left));
        mark_words(lane, lane, lane);
      }
    });
    std::tie(access_, warp_, site_, time_, shared_) = now;
  }

  /// Marks a run or a cell. Like note(), it returns false if the cells of a run differ.
  bool leave_mark(Area& area, u64 c) {
    if (access_->kind == AccessKind::Load) return note(area.make(area.reads, c));
    area.make(area.writes, c) = {mark(), 1u << warp_};
    return true;
  }

  void cells(u64 address, u32 low, u32 high) {
    Area& area = area_at(address);
    const u64 at = shared_ ? address : address % kPage;
    const u32 shift = area.shift();
    low_ = low;
    high_ = high;
    reported_ = 0;
    address_ = address;
    ++alone_;
    for (u64 c = at >> shift; c <= (at + access_->width - 1) >> shift; ++c) cell(area, c, at);
  }
  /// `at`: the place in the area where the access that contains the cell begins.
  [[gnu::always_inline]] void cell(Area& area, u64 c, u64 at) {
    const u32 shift = area.shift();
    const auto from = static_cast<u32>(std::max(at, c << shift) - at);
    const u32 bytes = std::min<u32>(access_->width, 1u << shift);
    if (alone_ > 2)
      area.set_line_apart(c / Area::kLine);
    else
      area.set_apart(c);
    switch (access_->kind) {
      case AccessKind::Load:
        if (!partly_used_ || any_used(sites_[site_], from, bytes)) load(area, c);
        break;
      case AccessKind::Store: store(area, c, from, bytes); break;
      case AccessKind::Atomic: atomic(area, c); break;
    }
  }

  /// The marks of this address, fine enough for this access.
  [[gnu::always_inline]] Area& area_at(u64 address) {
    Area& area = shared_ ? state_->shared : pages_.at(address);
    if (access_->width < 4 && area.shift() != 0) area.split();
    return area;
  }

  // ---- order

  /// False if the mark is irrelevant for accesses made now: it is empty, or a barrier separates the two.
  [[nodiscard]] bool fresh(const Mark& m) const {
    if (shared_) return m.stamp > state_->past.last_barrier();  // older marks may be of the previous block
    if (m.stamp == 0) return false;
    return m.block != block_ || m.stamp > state_->past.last_barrier();
  }

  /// Is the mark ordered before the current access, regardless of lanes?
  [[nodiscard]] bool ordered(const Mark& m) const {
    if (!fresh(m) || state_->past.knows(warp_, m)) return true;
    const bool past_l1 = access_->kind != AccessKind::Load || sites_[site_].passes_l1;
    return past_l1 && state_->past.hears(warp_, m);
  }
  /// Is the mark ordered in all cells of a run? False: possibly not.
  [[nodiscard]] bool ordered_in_run(const Mark& m) const {
    if (ordered(m)) return true;
    if (m.block != block_ || m.warp != warp_) return false;
    return (m.low == low_ && m.high == low_) || m.stamp <= state_->synced[warp_].first;
  }
  [[nodiscard]] bool ordered_in_run(const MarkPair& p) const {
    return ordered_in_run(p.first) && ordered_in_run(p.second);
  }

  [[nodiscard, gnu::always_inline]] Relation relation(const Mark& m) const {
    if (ordered(m)) return Relation::Ordered;
    if (m.block == block_ && m.warp == warp_) {
      if (m.low == low_ && m.high == low_ && low_ == high_) return Relation::Ordered;
      const auto& synced = state_->synced[warp_].when;
      if (m.stamp <= synced[low_] && m.stamp <= synced[m.low] && m.stamp <= synced[m.high])
        return Relation::Ordered;
      return Relation::SameWarp;
    }
    return m.block == block_ ? Relation::OtherWarp : Relation::OtherBlock;
  }

  void hand_over(const Site& s) {
    std::array<u64, kLanes * 4> words;
    std::size_t count = 0;
    for (u32 left = access_->mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<u32>(std::countr_zero(left));
      const u64 first = shared_ ? u64{block_} << 32 | access_->offsets[lane] : ~access_->addresses[lane];
      for (u32 byte = 0; byte < std::min<u32>(access_->width, 16); byte += 4)
        words[count++] = shared_ ? first + byte : first - byte;
    }
    const bool acquires = access_->kind == AccessKind::Atomic || s.acquire;
    handed_over_.access(state_->past, warp_, {access_->kind, acquires, s.within_block}, {words.data(), count},
                        time_);
  }

  // ---- the three kinds of access

  /// A run of cells that adjacent lanes access. If no cell has a race, its first cell represents all of them.
  /// False: nothing has changed, and the cells must be checked one by one. Cells with atomics or strong loads
  /// are individual.
  bool whole(Area& area, u64 c) {
    if (access_->kind == AccessKind::Load) {
      if (area.writes) {
        const Mark& w = area.writes[c].mark;
        if (!ordered_in_run(w)) return false;
        if (!shared_ && !w.empty() && sites_[site_].read_only) return false;
      }
      return note(area.make(area.reads, c));
    }
    // A store by another lane of the same instruction is not ordered.
    if (area.writes && !ordered_in_run(area.writes[c].mark)) return false;
    if (area.reads && !ordered_in_run(area.reads[c])) return false;
    area.make(area.writes, c) = {mark(), 1u << warp_};
    return true;
  }

  void load(Area& area, u64 c) {
    if (area.writes) {
      const WriteMark& w = area.writes[c];
      const Relation r = relation(w.mark);
      if (r != Relation::Ordered) [[unlikely]] {
        const bool wrote_it_too = w.mark.block == block_ && ((w.warps >> warp_) & 1) != 0;
        const bool by_all = r == Relation::SameWarp && w.mark.low != w.mark.high;
        if (!by_all && (r == Relation::SameWarp || !wrote_it_too)) report(Conflict::ReadWrite, r, w.mark);
      } else if (!shared_ && w.mark.stamp != 0 && sites_[site_].read_only) [[unlikely]] {
        report(Conflict::ReadOnly, w.mark.block == block_ ? Relation::OtherWarp : Relation::OtherBlock,
               w.mark);
      }
    }
    if (area.atomics) [[unlikely]]
      against_atomics(area.atomics[c], Conflict::ReadAtomic);
    note(area.make(area.reads, c));
    if (sites_[site_].strong) [[unlikely]]
      area.make(area.seen, c) = mark();
  }

  void store(Area& area, u64 c, u32 from, u32 bytes) {
    WriteMark& w = area.make(area.writes, c);
    const bool recent = fresh(w.mark);
    if (recent && w.mark.stamp == time_) {  // another lane of the same instruction
      if (!same_as_lower_lane(*access_, {low_, address_, from, bytes}))
        report(Conflict::OneInstruction, Relation::SameWarp, w.mark);
      w.mark.high = static_cast<u8>(low_);
      return;
    }
    bool same = false;
    const bool last = comes_last(area, c);
    Relation r = Relation::Ordered;
    if (recent && !last) {
      r = relation(w.mark);
      same = same_as_memory(*access_, {low_, address_, from, bytes});
      if (r != Relation::Ordered && !same) report(Conflict::WriteWrite, r, w.mark);
    }
    if (area.reads && !same) against(area.reads[c], Conflict::ReadWrite);
    if (area.atomics && !last) against_atomics(area.atomics[c], Conflict::WriteAtomic);
    if (area.seen && !area.seen[c].empty()) area.make(area.seen, c) = {};
    const bool joins = same && r != Relation::Ordered;
    w.warps = (joins && w.mark.block == block_ ? w.warps : 0) | 1u << warp_;
    const u8 low = joins && r == Relation::SameWarp ? w.mark.low : static_cast<u8>(low_);
    w.mark = {time_, block_, site_, static_cast<u8>(warp_), low, static_cast<u8>(low_), access_->kind};
  }

  void atomic(Area& area, u64 c) {
    if (area.writes) {
      const Relation r = relation(area.writes[c].mark);
      if (r != Relation::Ordered) report(Conflict::WriteAtomic, r, area.writes[c].mark);
    }
    if (area.reads) {
      const MarkPair& p = area.reads[c];
      if (sites_[site_].checks_guess) {
        for (const Mark* m : {&p.first, &p.second}) {
          const bool mine = fresh(*m) && m->block == block_ && m->warp == warp_;
          const bool its_own = mine && (m->low != m->high || m->low == low_);
          if (its_own && (sites_[site_].cas || only_decides(m->site))) sites_[m->site].guess = true;
        }
      }
      against(p, Conflict::ReadAtomic);
    }
    if (area.atomics && !shared_) {
      const MarkPair& others = area.atomics[c];
      for (const Mark* m : {&others.first, &others.second}) {
        if ((sites_[site_].within_block || sites_[m->site].within_block) && m->stamp != 0 &&
            relation(*m) == Relation::OtherBlock)
          report(Conflict::BlockScope, Relation::OtherBlock, *m);
      }
    }
    note(area.make(area.atomics, c));
    if (sites_[site_].asks)
      area.make(area.seen, c) = mark();
    else if (area.seen && !area.seen[c].empty())
      area.make(area.seen, c) = {};
    if (overwrites_) [[unlikely]]
      in_order(area.make(area.order, c));
  }

  /// If an atomic discards what others add, and nothing orders it with them, the result depends on timing.
  /// The thread that made the last addition has seen the others.
  void in_order(AtomicOrder& order) {
    const Site& s = sites_[site_];
    const auto unordered = [&](const Mark& m) {
      const Relation r = relation(m);
      return m.stamp != 0 && (r == Relation::OtherWarp || r == Relation::OtherBlock) &&
             !state_->past.knows_atomic(warp_, m);
    };
    if (s.overwrites) {
      if (unordered(order.added)) report(Conflict::Overwritten, relation(order.added), order.added);
      order.overwritten = mark();
    } else if (s.adds) {
      if (unordered(order.overwritten))
        report(Conflict::Overwritten, relation(order.overwritten), order.overwritten);
      order.added = mark();
    }
  }

  /// A thread that has seen all others' accesses to a flag or a counter may reset it without a fence:
  /// accesses of one thread to one word keep their order, and those of the others precede its last one.
  [[nodiscard]] bool comes_last(const Area& area, u64 c) const {
    if (!area.seen) return false;
    const Mark& seen = area.seen[c];
    return seen.stamp != 0 && seen.block == block_ &&
           (seen.warp == warp_ || seen.stamp <= state_->past.last_barrier());
  }

  void against(const MarkPair& p, Conflict conflict) {
    for (const Mark* m : {&p.first, &p.second}) {
      const Relation r = relation(*m);
      if (r != Relation::Ordered) report(conflict, r, *m);
    }
  }

  void against_atomics(const MarkPair& p, Conflict conflict) {
    for (const Mark* m : {&p.first, &p.second}) {
      const Relation r = relation(*m);
      if (r != Relation::Ordered && !(r != Relation::SameWarp && state_->past.knows_atomic(warp_, *m)))
        report(conflict, r, *m);
    }
  }

  [[nodiscard]] Mark mark() const {
    return {
        time_,        block_, site_, static_cast<u8>(warp_), static_cast<u8>(low_), static_cast<u8>(high_),
        access_->kind};
  }

  /// False: the cells of a run need different marks, and nothing has changed.
  [[gnu::always_inline]] bool note(MarkPair& p) {
    const Mark mine = mark();
    if (!fresh(p.first)) {
      // The second mark is also older than the barrier, unless it is this warp's and was kept up to date.
      const bool second_is_mine = fresh(p.second) && p.second.block == block_ && p.second.warp == warp_;
      (second_is_mine ? p.second : p.first) = mine;
      return true;
    }
    for (Mark* m : {&p.first, &p.second}) {
      const bool known = state_->past.knows(warp_, *m);
      if (!fresh(*m) || (m->warp != warp_ && known)) {  // an access after this one is also after that one
        *m = mine;
        return true;
      }
      if (m->block != block_ || m->warp != warp_) continue;
      if (m->low != mine.low && mine.low == mine.high && !known) {
        const Synced& synced = state_->synced[warp_];
        const bool of_run = mine.low >= kLanes;
        if (of_run && m->stamp > synced.first && m->stamp <= synced.last) return false;
        const bool ordered = m->stamp <= (of_run ? synced.first : synced.when[low_]);
        const LaneRule low = ordered ? mine.low : m->low;
        *m = mine;
        m->low = low;
      } else {
        *m = mine;
      }
      return true;
    }
    return true;
  }

  std::unordered_map<u32, std::unique_ptr<RaceBlock>> blocks_;
  std::vector<std::unique_ptr<RaceBlock>> spare_;
  AreaPages pages_;
  ReleaseAcquire handed_over_;
  RaceBlock* state_ = nullptr;
  u32 time_ = 1;

  u32 alone_ = 0;  ///< lanes of the current access so far that are adjacent to no other
  const bool lone_;
  const bool whole_runs_;  ///< see make_racecheck_by_cells()
};

class Racecheck : public CheckerObserver {
 public:
  explicit Racecheck(bool whole_runs) : whole_runs_(whole_runs) {}
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override {
    return std::make_unique<RaceWorker>(launch, false, whole_runs_);
  }
  [[nodiscard]] std::unique_ptr<WorkerObserver> single_block_worker(const LaunchInfo& launch) const override {
    return std::make_unique<RaceWorker>(launch, true, whole_runs_);
  }
  void merge(WorkerObserver& worker) override { static_cast<RaceWorker&>(worker).finish(found); }

 private:
  const bool whole_runs_;
};

}  // namespace

std::unique_ptr<CheckerObserver> make_racecheck() { return std::make_unique<Racecheck>(true); }
std::unique_ptr<CheckerObserver> make_racecheck_by_cells() { return std::make_unique<Racecheck>(false); }

}  // namespace cudalabs::sim
