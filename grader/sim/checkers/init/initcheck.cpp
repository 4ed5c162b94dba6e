// Detects reads of uninitialized memory and variables.

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <span>

#include "grader/diagnostics/messages/sim.h"
#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/checkers/base/checker_worker.h"
#include "grader/sim/checkers/base/valid_bits.h"
#include "grader/sim/checkers/init/padding.h"
#include "grader/sim/checkers/init/uninitialized_propagation.h"
#include "grader/sim/checkers/init/unset_values.h"
#include "grader/sim/executable/lane_pattern.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// The device's allocations, by address. Memory outside of known allocations counts as written.
class GlobalValidity {
 public:
  void allocated(DevicePtr pointer, u64 bytes) { regions_.insert_or_assign(pointer, ValidBits(bytes)); }
  void freed(DevicePtr pointer) {
    regions_.erase(pointer);
    outputs_.erase(pointer);
  }
  /// Marks a call's output buffer as uninitialized.
  void expected(const DeviceRange& output) {
    const Region region = find(output.begin);
    if (region.bits == nullptr) return;
    region.bits->clear();
    outputs_.insert(region.begin);
  }
  /// What kernels write is not known: all memory counts as written.
  void all_written() {
    for (auto& [begin, bits] : regions_)
      if (!bits.known_whole()) bits.set(0, bits.bytes());
  }
  /// Unwritten parts of an output were copied to `address`: what is read there is the output's.
  void takes_over(u64 address) { outputs_.insert(find(address).begin); }
  [[nodiscard]] bool is_output(u64 address) {
    const Region region = find(address);
    return region.bits != nullptr && outputs_.contains(region.begin);
  }

  struct Region {
    u64 begin = 0;
    ValidBits* bits = nullptr;  ///< null: not tracked
  };
  Region find(u64 address) {
    auto after = regions_.upper_bound(address);
    if (after == regions_.begin()) return {};
    auto& [begin, bits] = *std::prev(after);
    return address - begin < bits.bytes() ? Region{begin, &bits} : Region{};
  }

 private:
  std::map<u64, ValidBits> regions_;
  std::set<u64> outputs_;  ///< allocations, by their beginning
};

struct Example {
  u64 address = 0;  ///< or offset; in a block from a kernel's malloc, relative to its start
  u32 width = 0;
  u64 heap_bytes = 0;    ///< of that block; 0: not such a block
  bool copying = false;  ///< a cp.async into shared memory was in flight
};

class InitWorker : public CheckerWorker {
 public:
  /// `global`: null if unobserved blocks write to it; then only shared memory is checked.
  InitWorker(const LaunchInfo& launch, GlobalValidity* global)
      : CheckerWorker(launch),
        global_(global),
        unset_(*launch.program, [this](const CodePlace& place, u32 warp, u32 lanes) {
          Seen<NoExample>& seen = unset_seen_[site(place.program, place.instruction)];
          for (; lanes != 0; lanes &= lanes - 1)
            seen.add(block_, warp * kLanes + static_cast<u32>(std::countr_zero(lanes)), {});
        }) {}

  void resume_block(u64 block) override {
    block_ = block;
    if (follows_unset()) unset_.resume_block(block);
    auto& bits = shared_[block];
    if (!bits) {
      if (spare_.empty()) {
        bits = std::make_unique<ValidBits>(launch_.program->static_shared_bytes +
                                           launch_.program->dynamic_shared_offset +
                                           launch_.config.dynamic_shared_bytes + 16);
      } else {
        bits = std::move(spare_.back());
        spare_.pop_back();
        bits->clear();
      }
      bits->set(0, launch_.program->reserved_shared_bytes);
    }
    current_ = bits.get();
    ++turn_;
  }
  void end_block() override {
    copies_under_way_ = 0;
    carried_.end_block(block_);
    unset_.end_block(block_);
    spare_.push_back(std::move(shared_[block_]));
    shared_.erase(block_);
  }

  void heap_allocated(u64 address, u64 bytes) override {
    if (global_ == nullptr) return;
    global_->allocated(address, bytes);
    heap_.insert(address);
  }
  void heap_freed(u64 address) override {
    if (global_ == nullptr) return;
    global_->freed(address);
    heap_.erase(address);
    region_ = region_before_ = {};
  }

  [[nodiscard]] bool every_step() const override { return follows_unset(); }
  void step(const WarpStep& step) override { unset_.step(step); }

  void access(const WarpAccess& a) override {
    if (follows_unset()) unset_.access(a);
    if (a.form != AccessForm::Copy || a.kind == AccessKind::Load) return see(a);
    copies_under_way_ += static_cast<u64>(std::popcount(a.mask));
  }
  void copy_landed(const WarpAccess& a) override {
    if (a.form != AccessForm::Copy || a.kind == AccessKind::Load) return;
    copies_under_way_ -= static_cast<u64>(std::popcount(a.mask));
    see(a);
  }
  void see(const WarpAccess& a) {
    if (a.space == AccessSpace::Shared) look(a, a.offsets, {0, current_});
    if (a.space == AccessSpace::Global && global_ != nullptr) {
      look(a, a.addresses, region_of(a.addresses[std::countr_zero(a.mask)]));
    }
  }

  [[nodiscard]] bool takes_shared_loads() const override { return true; }
  void shared_loads(const SharedLoads& told) override {
    if (carried_.empty() && are_known(told.loads)) return;
    for (const SharedLoad& load : told.loads) {
      if (carried_.empty() && known(load)) continue;
      std::array<u32, kLanes> offsets;
      access(by_itself(told, load, offsets));
    }
  }

  void finish(FindingList& found) const {
    for (const auto& [where, seen] : unset_seen_) {
      Finding f;
      f.checker = Checker::Initcheck;
      f.kernel = launch_.program->kernel;
      f.count = seen.count;
      f.here = side(where, msg::did_read(), seen.block, seen.thread);
      f.kind = "unset variable";
      f.message = msg::unset_variable_read(f.here.line, "");
      f.advice = msg::advice_set_variable(f.here.line, "", "");
      found.add(std::move(f));
    }
    for (const auto& [key, seen] : seen_) {
      const auto& [in_shared, where, kind] = key;
      const Example& e = seen.example;
      Finding f;
      f.checker = Checker::Initcheck;
      f.kernel = launch_.program->kernel;
      f.count = seen.count;
      const bool atomic = kind == AccessKind::Atomic;
      const bool output = !in_shared && global_->is_output(e.address);
      f.here = side(where, atomic ? msg::did_atomic() : msg::did_read(), seen.block, seen.thread);
      const Message place = in_shared          ? name_shared(where, static_cast<u32>(e.address), e.width)
                            : e.heap_bytes > 0 ? msg::memory_heap_byte(e.address, e.heap_bytes)
                                               : name_global(where, e.address, e.width);
      if (in_shared) {
        f.kind = "uninitialised shared memory";
        f.message = msg::unwritten_shared_read(place);
        f.advice = e.copying ? msg::advice_wait_for_async_copy() : msg::advice_write_shared_first();
      } else if (output) {
        f.kind = "output read before it was written";
        f.message = msg::unwritten_output_read(place);
        f.advice = atomic ? msg::advice_zero_output() : msg::advice_begin_with_own_value();
      } else {
        f.kind = "uninitialised global memory";
        f.message = msg::unwritten_global_read(place);
        f.advice = msg::advice_write_global_first();
      }
      found.add(std::move(f));
    }
  }

 private:
  [[nodiscard]] bool follows_unset() const { return global_ != nullptr && unset_.any(); }
  /// Caches the region, because accesses mostly alternate between few.
  GlobalValidity::Region region_of(u64 address) {
    const auto is_there = [&] {
      return region_.bits != nullptr && address - region_.begin < region_.bits->bytes();
    };
    if (is_there()) return region_;
    std::swap(region_, region_before_);
    if (!is_there()) region_ = global_->find(address);
    return region_;
  }
  /// Do all lanes access a region that is fully written? Inactive lanes hold the address of an active one.
  static bool is_whole(const WarpAccess& a, GlobalValidity::Region region) {
    if (region.bits == nullptr || !region.bits->known_whole() || region.bits->bytes() < a.width) return false;
    const u64 last = region.begin + region.bits->bytes() - a.width;
    u64 outside = 0;  // its highest bit is set if any lane is outside
    for (u32 lane = 0; lane < kLanes; ++lane)
      outside |= (a.addresses[lane] - region.begin) | (last - a.addresses[lane]);
    return outside >> 63 == 0;
  }

  template <class A>
  void look(const WarpAccess& a, const A* addresses, GlobalValidity::Region region) {
    const u32 where = site(a.program, a.instruction);
    const bool writes = a.kind != AccessKind::Load;
    const bool reads =
        a.kind == AccessKind::Load || (a.kind == AccessKind::Atomic && !sites_[where].exchange);
    if (!carried_.empty()) [[unlikely]] {
      for (u32 lane = 0; lane < kLanes; ++lane)
        if (a.kind == AccessKind::Load && (a.mask >> lane & 1) != 0) carried_.load(block_, a, lane, 0);
      if (a.kind == AccessKind::Store && store_carried(a, addresses, region)) return;
    }
    if constexpr (sizeof(A) == 8)
      if (!writes && is_whole(a, region)) return;
    // If all lanes access one place or adjacent ones, one check suffices. Inactive lanes hold the address of
    // an active one.
    const bool even = evenly_spaced(a, addresses);
    const A distance = addresses[1] - addresses[0];
    if (even && (distance == 0 || distance == a.width) && region.bits != nullptr &&
        addresses[0] >= region.begin) {
      const u64 begin = addresses[0] - region.begin;
      const u64 end = begin + u64{a.width} * (distance == 0 ? 1 : kLanes);
      if (end <= region.bits->bytes()) {
        if (region.bits->all(begin, end)) {
          if constexpr (sizeof(A) == 4) {
            const Column here{turn_, addresses[0], distance, a.width};
            if (distance != 0) column(here) = here;
          }
          return;
        }
        if (!reads) return region.bits->set(begin, end);
      }
    }
    // Caches the answer for a column, because warps access the same columns one after the other.
    const bool is_column = sizeof(A) == 4 && even;
    const Column here{turn_, static_cast<u32>(addresses[0]), static_cast<u32>(distance), a.width};
    Column& known = column(here);
    if (is_column && known == here) return;
    bool written = a.mask == ~0u;
    for (u32 left = a.mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<u32>(std::countr_zero(left));
      GlobalValidity::Region r = region;
      if constexpr (sizeof(A) == 8) {
        if (r.bits == nullptr || addresses[lane] - r.begin >= r.bits->bytes())
          r = global_->find(addresses[lane]);
      }
      if (r.bits == nullptr) continue;
      const u64 at = addresses[lane] - r.begin;
      if (reads && !r.bits->all(at, at + a.width)) {
        written = false;
        if (a.kind == AccessKind::Load && !reads_unwritten(*r.bits, at, a.width, sites_[where])) continue;
        if (a.kind == AccessKind::Load && carries(a, where, *r.bits, at, lane)) continue;
        const bool heap = heap_.contains(r.begin) && sizeof(A) == 8;
        seen_[{sizeof(A) == 4, where, a.kind}].add(
            block_, a.warp * kLanes + a.maker(lane),
            {heap ? at : addresses[lane], a.width, heap ? r.bits->bytes() : 0, copies_under_way_ > 0});
      }
      if (writes) r.bits->set(at, at + a.width);
    }
    if (is_column && written) known = here;
  }

  /// Is it a copy of partly written data? Then the other part is uninitialized at the destination, too.
  bool carries(const WarpAccess& a, u32 where, const ValidBits& bits, u64 at, u32 lane) {
    if (bits.none(at, at + a.width) || a.width > 32) return false;
    const auto [moves, fresh] = moves_.try_emplace(where, false);
    if (fresh) {
      const ptx::Function& function = *a.program->function;
      moves->second = only_moves(function, Dataflow(function), a.program->source[a.instruction]);
    }
    if (!moves->second) return false;
    u32 unwritten = 0;
    for (u32 byte = 0; byte < a.width; ++byte) unwritten |= u32{!bits.at(at + byte)} << byte;
    carried_.load(block_, a, lane, unwritten);
    return true;
  }
  /// False: none of the stored bytes are propagated uninitialized bytes.
  template <class A>
  bool store_carried(const WarpAccess& a, const A* addresses, GlobalValidity::Region region) {
    std::array<u32, kLanes> unwritten{};
    u32 any = 0;
    for (u32 left = a.mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<u32>(std::countr_zero(left));
      any |= unwritten[lane] = carried_.stored(block_, a, lane);
    }
    if (any == 0) return false;
    for (u32 left = a.mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<u32>(std::countr_zero(left));
      if constexpr (sizeof(A) == 8) region = global_->find(addresses[lane]);
      if (region.bits == nullptr) continue;
      const u64 at = addresses[lane] - region.begin;
      for (u32 byte = 0; byte < a.width; ++byte)
        region.bits->put(at + byte, (unwritten[lane] >> byte & 1) == 0);
    }
    ++turn_;  // cached answers for columns are no longer valid
    return true;
  }

  /// Does it use an uninitialized byte, rather than discard it?
  [[nodiscard]] static bool reads_unwritten(const ValidBits& bits, u64 at, u32 width, const Site& s) {
    for (u32 byte = 0; byte < width; ++byte) {
      if (any_used(s, byte, 1) && !bits.at(at + byte)) return true;
    }
    return false;
  }

  /// Evenly spaced places of 32 lanes in shared memory that were all written in this turn of the block.
  struct Column {
    u32 turn = 0, first = 0, distance = 0, width = 0;
    bool operator==(const Column&) const = default;
  };
  Column& column(const Column& place) {
    // The rows of a tile begin at multiples of a power of two; the multiplication spreads them.
    static_assert(std::tuple_size_v<decltype(columns_)> == 1024);
    return columns_[(place.first * 0x9E3779B1u + place.distance * 0x85EBCA6Bu) >> 22];
  }
  /// Bytes of shared memory that were all written in this turn of the block.
  struct Stretch {
    u32 turn = 0, begin = 0, end = 0;
    [[nodiscard]] bool holds(const Stretch& other) const {
      return turn == other.turn && begin <= other.begin && other.end <= end;
    }
  };
  /// True if the loads lie in one fully written range, such as a tile that the block has filled.
  [[nodiscard]] bool are_known(std::span<const SharedLoad> loads) {
    if (gaps_met_.turn == turn_ && gaps_met_.times == kMaxGaps) return false;
    Stretch all{turn_, ~0u, 0};
    for (const SharedLoad& load : loads) {
      const u32 first = load.first, last = load.first + (kLanes - 1) * load.distance;
      all.begin = std::min({all.begin, first, last});
      all.end = std::max({all.end, first + load.width, last + load.width});
    }
    if (stretch_.holds(all)) return true;
    if (all.begin >= all.end || all.end > current_->bytes()) return false;
    // The following loads will access other places of the same tiles.
    const Stretch more{turn_, std::min(all.begin, stretch_.begin), std::max(all.end, stretch_.end)};
    if (stretch_.turn == turn_ && current_->all(more.begin, more.end)) {
      stretch_ = more;
      return true;
    }
    const bool whole = current_->all(all.begin, all.end);
    if (stretch_.turn == turn_ || !whole)
      gaps_met_ = {turn_, gaps_met_.turn == turn_ ? gaps_met_.times + 1 : 1};
    if (whole) stretch_ = all;
    return whole;
  }
  /// True if everything that the lanes load is known to be written.
  [[nodiscard]] bool known(const SharedLoad& load) {
    if (load.distance == 0) {
      const u64 end = u64{load.first} + load.width;
      return end <= current_->bytes() && current_->all(load.first, end);
    }
    const Column here{turn_, load.first, load.distance, load.width};
    return column(here) == here;
  }

  GlobalValidity* global_;
  std::set<u64> heap_;  ///< blocks from a kernel's malloc: they may be freed by the end of the launch
  GlobalValidity::Region region_, region_before_;
  std::unordered_map<u64, std::unique_ptr<ValidBits>> shared_;
  std::vector<std::unique_ptr<ValidBits>> spare_;
  ValidBits* current_ = nullptr;
  std::array<Column, 1024> columns_{};  ///< by place: warps access them repeatedly
  Stretch stretch_;
  static constexpr u32 kMaxGaps = 4;
  struct {
    u32 turn = 0, times = 0;
  } gaps_met_;  ///< if tiles are padded, the search for a range is not worthwhile
  u32 turn_ = 0;
  UninitializedPropagation carried_;
  UnsetValues unset_;
  struct NoExample {};
  std::map<u32, Seen<NoExample>> unset_seen_;  ///< by site
  std::map<u32, bool> moves_;                  ///< by site: does the program only copy its loaded value?
  u64 block_ = 0, copies_under_way_ = 0;       ///< lanes of the block's copies in flight
  std::map<std::tuple<bool, u32, AccessKind>, Seen<Example>> seen_;
};

class Initcheck : public CheckerObserver {
 public:
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override {
    return std::make_unique<InitWorker>(launch, &global_);
  }
  [[nodiscard]] std::unique_ptr<WorkerObserver> single_block_worker(const LaunchInfo& launch) const override {
    return std::make_unique<InitWorker>(launch, nullptr);
  }
  void merge(WorkerObserver& worker) override { static_cast<InitWorker&>(worker).finish(found); }

  void allocated(DevicePtr pointer, u64 bytes) override { global_.allocated(pointer, bytes); }
  void freed(DevicePtr pointer) override { global_.freed(pointer); }
  void expected(const DeviceRange& output) override { global_.expected(output); }
  void written(DevicePtr pointer, u64 bytes) override {
    if (const auto r = global_.find(pointer); r.bits != nullptr) {
      r.bits->set(pointer - r.begin, std::min(pointer - r.begin + bytes, r.bits->bytes()));
    }
  }
  void launched_unwatched() override { global_.all_written(); }
  void read_by_host(const DeviceRange& read, std::span<const std::uint64_t> frames) override {
    const auto r = global_.find(read.begin);
    if (r.bits == nullptr) return;
    const u64 begin = read.begin - r.begin, end = std::min(begin + read.bytes, r.bits->bytes());
    if (r.bits->all(begin, end) || looks_like_padding(*r.bits, begin, end)) return;
    u64 unwritten = 0, first = end;
    for (u64 byte = begin; byte < end; ++byte) {
      if (r.bits->at(byte)) continue;
      first = std::min(first, byte);
      ++unwritten;
    }
    Finding f;
    f.checker = Checker::Initcheck;
    f.severity = Severity::Warning;  // the host may never use them
    f.kind = "uninitialised memory copied to the host";
    f.message = msg::unwritten_copied_to_host(unwritten, end - begin, first, r.bits->bytes());
    f.advice = msg::advice_copy_what_was_written();
    f.frames.assign(frames.begin(), frames.end());
    found.add(std::move(f));
  }
  void copied(DevicePtr to, DevicePtr from, u64 bytes) override {
    const auto target = global_.find(to), source = global_.find(from);
    if (target.bits == nullptr) return;
    if (source.bits == nullptr || source.bits->all(from - source.begin, from - source.begin + bytes))
      return written(to, bytes);
    if (global_.is_output(from)) global_.takes_over(to);
    const bool backwards = to > from;  // the ranges may overlap
    for (u64 k = 0; k < bytes; ++k) {
      const u64 i = backwards ? bytes - 1 - k : k;
      target.bits->put(to - target.begin + i, source.bits->at(from - source.begin + i));
    }
  }

 private:
  GlobalValidity global_;
};

}  // namespace

std::unique_ptr<CheckerObserver> make_initcheck() { return std::make_unique<Initcheck>(); }

}  // namespace cudalabs::sim
