#include "grader/simulator/observers/block_races.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

#include "grader/simulator/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 kMostAccesses = 1u << 22, kFewestOfBlock = 256;  // then nobody looks any more
constexpr std::size_t kMostPlanes = 8192;                      // more than 130 MB: nothing is said

/// In the kernel, or in a function that it may call.
bool any_fence(const Program& kernel) {
  const auto fences = [](const ptx::Instruction& in) {
    return ptx::is_fence(in) && !ptx::is_within_block(in);
  };
  const auto has = [&](const ptx::Function& f) { return std::ranges::any_of(f.body, fences); };
  return has(*kernel.function) || std::ranges::any_of(kernel.module->functions, [&](const ptx::Function& f) {
           return !f.is_entry && has(f);
         });
}

/// Word `word` of what the lane stores, if it is known.
std::optional<u32> stored_word(const StoreData* data, u32 lane, u32 word) {
  if (data == nullptr || data->element_bytes < 4) return std::nullopt;
  const u32 of_element = data->element_bytes / 4;
  const std::byte* const element =
      word / of_element < data->count ? data->elements[word / of_element] : nullptr;
  if (element == nullptr) return std::nullopt;
  u32 value = 0;
  std::memcpy(&value, element + std::size_t{lane} * data->lane_bytes + std::size_t{word % of_element} * 4, 4);
  return value;
}

}  // namespace

BlockRaces::BlockRaces(const LaunchInfo& launch, std::span<const DeviceRange> inputs)
    : RaceReports(launch),
      inputs_(inputs.begin(), inputs.end()),
      hands_over_(any_fence(*launch.program)),
      most_accesses_(std::max(kFewestOfBlock, kMostAccesses / std::max<u64>(launch.config.grid.count(), 1))) {
}

void BlockRaces::resume_block(u64 block) {
  number_ = static_cast<u32>(block);
  block_ = &blocks_[number_];
}

bool BlockRaces::watches() const {
  return block_ != nullptr && block_->accesses < most_accesses_ && planes_ <= kMostPlanes;
}

void BlockRaces::end_block() {
  blocks_.erase(number_);
  block_ = nullptr;
}

inline void BlockRaces::widen(Use& use, const Use& more) {
  if (more.first == kNobody) return;
  const auto take = [&](std::size_t end) {
    use.sites[end] = more.sites[end];
    use.threads[end] = more.threads[end];
  };
  if (use.first == kNobody || more.last > use.last) {
    use.last = more.last;
    take(1);
  }
  if (more.first < use.first) {
    use.first = more.first;
    take(0);
  }
}

inline void BlockRaces::note(Use& use, u32 site, u32 thread) const {
  if (use.first != kNobody && number_ >= use.first && number_ <= use.last) return;  // as it mostly is
  const auto at = static_cast<std::uint16_t>(site), by = static_cast<std::uint16_t>(thread);
  widen(use, {number_, number_, {at, at}, {by, by}});
}

inline void BlockRaces::add_value(Written& written, u32 value) {
  written.varies |= written.known && written.value != value;
  written.value = value;
  written.known = true;
}

inline BlockRaces::Page& BlockRaces::page(u64 number) {
  if (number != recent_number_) {
    recent_ = &pages_[number];
    recent_number_ = number;
  }
  return *recent_;
}

template <class Plane>
inline Plane& BlockRaces::plane(std::unique_ptr<Plane>& owned) {
  if (!owned) {
    owned = std::make_unique<Plane>();
    ++planes_;
  }
  return *owned;
}

void BlockRaces::access(const WarpAccess& a) {
  if (a.space != AccessSpace::Global || !watches()) return;
  ++block_->accesses;
  const u32 at = site(a.program, a.instruction);
  const Site& s = sites_[at];
  const bool acquired = block_->acquired;
  // What it sees may tell it that another block is done, if that one told it behind a fence.
  const bool may_tell = a.kind == AccessKind::Atomic ? s.meets_fence : s.strong;
  if (hands_over_ && !s.within_block && may_tell) block_->acquired = true;
  // Who reads what is meant to be seen by others looks whether it is there yet.
  const bool looks = a.kind == AccessKind::Load && s.looks;
  if (acquired || a.width % kWord != 0 || at > std::numeric_limits<std::uint16_t>::max()) return;
  const u32 lanes = kept_lanes(a);
  u64 lowest = ~u64{0}, highest = 0;
  for (u32 lane = 0; lane < kLanes; ++lane) {
    const u64 address = a.addresses[lane];
    const bool active = ((lanes >> lane) & 1) != 0;
    lowest = std::min(lowest, active ? address : lowest);
    highest = std::max(highest, active ? address : highest);
  }
  // Most accesses are reads of an input by neighbours.
  for (const DeviceRange& in : inputs_)
    if (lowest >= in.begin && highest < in.begin + in.bytes) return;
  const auto each = [&](auto&& meet) {
    for (u32 left = lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<u32>(std::countr_zero(left));
      const u64 address = a.addresses[lane];
      const bool input =
          std::ranges::any_of(inputs_, [&](const DeviceRange& in) { return address - in.begin < in.bytes; });
      if (input) continue;
      for (u32 word = 0; word < a.width / kWord; ++word) {
        const u64 place = address + word * kWord;
        meet(page(place / kPage), place % kPage / kWord, lane, word);
      }
    }
  };
  const u32 warp = a.warp * kLanes;
  switch (a.kind) {
    case AccessKind::Load:
      if (looks) {
        each([&](Page& page, std::size_t word, u32, u32) {
          if (page.changed) (*page.changed)[word].asked = number_;
        });
      }
      if (looks && !s.takes) return;
      return each([&](Page& page, std::size_t word, u32 lane, u32) {
        if (page.written && (*page.written)[word].latest == number_) return;  // it has put it there itself
        note(plane(page.read)[word], at, warp + lane);
      });
    case AccessKind::Atomic:
      return each([&](Page& page, std::size_t word, u32 lane, u32) {
        Changed& changed = plane(page.changed)[word];
        note(changed, at, warp + lane);
        changed.asked = sites_[at].asks ? number_ : kNobody;
        if (page.written && (*page.written)[word].latest != number_) (*page.written)[word].after_all = false;
      });
    case AccessKind::Store:
      return each([&](Page& page, std::size_t word, u32 lane, u32 of_lane) {
        Written& written = plane(page.written)[word];
        const std::optional<u32> value = stored_word(a.stored, lane, of_lane);
        if (value) add_value(written, *value);
        written.after_all &= page.changed && (*page.changed)[word].asked == number_;
        note(written, at, warp + lane);
        written.latest = number_;
      });
  }
}

void BlockRaces::join(BlockRaces& other) {
  std::vector<u32> sites;
  sites.reserve(other.sites_.size());
  for (const Site& s : other.sites_) sites.push_back(site(s.program, s.instruction));
  const auto join_use = [&sites](Use& use, Use more) {
    for (std::uint16_t& at : more.sites) at = static_cast<std::uint16_t>(sites[at]);
    widen(use, more);
  };
  bool same_sites = true;
  for (std::size_t at = 0; at < sites.size(); ++at) same_sites &= sites[at] == at;
  for (auto& [number, theirs] : other.pages_) {
    Page& mine = page(number);
    if (same_sites && mine.empty()) {  // as most are
      mine = std::move(theirs);
      planes_ += mine.planes();
      continue;
    }
    for (std::size_t at = 0; at < kPage / kWord; ++at) {
      if (theirs.read) join_use(plane(mine.read)[at], (*theirs.read)[at]);
      // What the workers saw of each other's atomics is not known.
      if (theirs.changed && (*theirs.changed)[at].first != kNobody) {
        join_use(plane(mine.changed)[at], (*theirs.changed)[at]);
        if (mine.written) (*mine.written)[at].after_all = false;
      }
      if (!theirs.written) continue;
      Written& use = plane(mine.written)[at];
      const Written& more = (*theirs.written)[at];
      use.varies |= more.varies;
      if (more.known) add_value(use, more.value);
      if (more.first != kNobody) use.after_all = false;
      join_use(use, more);
    }
  }
  other.pages_.clear();
}

void BlockRaces::finish(FindingList& found) {
  if (planes_ > kMostPlanes) return;
  for (const auto& [number, page] : pages_) {
    for (std::size_t at = 0; page.changed && at < kPage / kWord; ++at) {
      const Changed& changed = (*page.changed)[at];
      if (changed.first == kNobody ||
          !std::ranges::any_of(changed.sites, [&](auto s) { return sites_[s].within_block; }))
        continue;
      meet(Conflict::BlockScope, number * kPage + at * kWord, changed, AccessKind::Atomic, changed,
           AccessKind::Atomic);
    }
    if (!page.written) continue;
    for (std::size_t at = 0; at < kPage / kWord; ++at) {
      const Written& written = (*page.written)[at];
      if (written.first == kNobody) continue;
      const u64 address = number * kPage + at * kWord;
      if (page.changed && !written.after_all)
        meet(Conflict::WriteAtomic, address, written, AccessKind::Store, (*page.changed)[at],
             AccessKind::Atomic);
      const bool read = page.read && meet(Conflict::ReadWrite, address, written, AccessKind::Store,
                                          (*page.read)[at], AccessKind::Load);
      if (written.varies && !read)
        meet(Conflict::WriteWrite, address, written, AccessKind::Store, written, AccessKind::Store);
    }
  }
  RaceReports::finish(found);
}

/// The last of the one and the first of the other, or the other way round: if these are the same, all are.
bool BlockRaces::meet(Conflict conflict, u64 address, const Use& one, AccessKind did, const Use& other,
                      AccessKind other_did) {
  if (other.first == kNobody) return false;
  const bool last_here = one.last != other.first;
  const std::size_t here = last_here ? 1 : 0, there = last_here ? 0 : 1;
  const u32 block = last_here ? one.last : one.first, other_block = last_here ? other.first : other.last;
  if (block == other_block) return false;
  // A volatile or relaxed store may meet atomics: neither tears.
  if (conflict == Conflict::WriteAtomic && sites_[one.sites[here]].strong) return false;
  const Key key{
      conflict, Relation::OtherBlock, false, {one.sites[here], did}, {other.sites[there], other_did}};
  seen_[key].add(block, one.threads[here],
                 {address, kWord, one.threads[here], other_block, other.threads[there], false});
  return true;
}

}  // namespace cudalabs::sim
