#include "grader/sim/checkers/race/block_races.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "grader/sim/executable/lane_pattern.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 kMaxAccesses = 1u << 22, kFewestOfBlock = 256;  // beyond these, checking stops
constexpr std::size_t kMaxPages = 1u << 18;                   // with or without planes
constexpr std::size_t kMaxPlanes = 8192;                      // more than 130 MB: no races are reported

/// Is there a fence in the kernel, or in a function that it may call?
bool any_fence(const Program& kernel) {
  const auto fences = [](const ptx::Instruction& in) {
    return ptx::is_fence(in) && !ptx::is_within_block(in);
  };
  const auto has = [&](const ptx::Function& f) { return std::ranges::any_of(f.body, fences); };
  return has(*kernel.function) || std::ranges::any_of(kernel.module->functions, [&](const ptx::Function& f) {
           return !f.is_entry && has(f);
         });
}

/// Word `word` of the lane's stored data, if it is known.
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

/// The stored data of all lanes, one element each, if it is known; lane 0's comes first.
const std::byte* stored_side_by_side(const WarpAccess& a) {
  const StoreData* const data = a.stored;
  const bool whole = data != nullptr && data->count == 1 && data->element_bytes == data->lane_bytes &&
                     data->element_bytes == a.width && data->element_bytes >= 4;
  return whole ? data->elements[0] : nullptr;
}

}  // namespace

BlockRaces::BlockRaces(const LaunchInfo& launch, std::span<const DeviceRange> inputs, bool whole_runs)
    : RaceReports(launch),
      inputs_(inputs.begin(), inputs.end()),
      hands_over_(any_fence(*launch.program)),
      most_accesses_(std::max(kFewestOfBlock, kMaxAccesses / std::max<u64>(launch.config.grid.count(), 1))),
      whole_runs_(whole_runs) {}

void BlockRaces::resume_block(u64 block) {
  number_ = static_cast<u32>(block);
  block_ = &blocks_[number_];
}

/// Without fences between blocks, a block's loads of the inputs need no check.
std::span<const DeviceRange> BlockRaces::unflushed_loads() const {
  return hands_over_ ? std::span<const DeviceRange>() : inputs_;
}

bool BlockRaces::watches() const {
  return block_ != nullptr && block_->accesses < most_accesses_ && planes_ <= kMaxPlanes &&
         pages_.size() <= kMaxPages;
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

inline void BlockRaces::note(Use& use, u32 site, Threads threads) const {
  if (use.first != kNobody && number_ >= use.first && number_ <= use.last) return;  // the usual case
  const auto at = static_cast<std::uint16_t>(site);
  widen(use, {number_, number_, {at, at}, {threads, threads}});
}

inline void BlockRaces::add_value(Page& page, u64 word, Written& written, u32 value) {
  u32& stored = page.stored()[word];
  written.varies |= written.known && stored != value;
  stored = value;
  written.known = true;
}

inline BlockRaces::Page& BlockRaces::page(u64 number) {
  Recent& recent = recent_[number % recent_.size()];
  if (recent.page == nullptr || number != recent.number) [[unlikely]]
    recent = {number, &pages_[number]};
  return *recent.page;
}

template <class T>
inline T& BlockRaces::make(Page& page, Plane<T>& plane, u64 word) {
  if (!plane) ++planes_;
  return page.make(plane, word);
}

inline void BlockRaces::load(Page& page, u64 word, u32 site, Threads threads) {
  page.set_apart(word);
  if (page.written && page.written[word].latest == number_) return;  // this block stored it
  note(make(page, page.read, word), site, threads);
}

inline void BlockRaces::change(Page& page, u64 word, u32 site, Threads threads) {
  page.set_apart(word);
  Changed& changed = make(page, page.changed, word);
  note(changed, site, threads);
  changed.asked = sites_[site].asks ? number_ : kNobody;
  if (page.written && page.written[word].latest != number_) make(page, page.written, word).after_all = false;
}

inline void BlockRaces::store(Page& page, u64 word, u32 site, Threads threads, std::optional<u32> value) {
  page.set_apart(word);
  Written& written = make(page, page.written, word);
  if (value) add_value(page, word, written, *value);
  written.after_all &= page.changed && page.changed[word].asked == number_;
  note(written, site, threads);
  written.latest = number_;
}

bool BlockRaces::store_run(Page& page, u64 begin, u64 end, u32 site, Threads threads, const u32* values) {
  const std::size_t bytes = (end - begin) * kWord;
  Written& written = make(page, page.written, begin);
  if (values != nullptr) {
    u32* const stored = page.stored() + begin;
    if (written.known && std::memcmp(stored, values, bytes) != 0) return false;
    std::memcpy(stored, values, bytes);
    written.known = true;
  }
  written.after_all = false;  // there are no atomics
  note(written, site, threads);
  written.latest = number_;
  return true;
}

template <class F>
inline void BlockRaces::each_run(const WarpAccess& a, u32 lane, u32 lanes, F f) {
  const u64 begin = a.addresses[lane], end = begin + u64{lanes} * a.width;
  const auto of_lane = static_cast<u32>(std::countr_zero(a.width / kWord));
  for (u64 address = begin; address < end;) {
    Page& page = this->page(address / kPage);
    const u64 first = address % kPage / kWord, place = (address - begin) / kWord;
    const u64 last = std::min(first + (end - address) / kWord, kPage / kWord);
    const u32 lane_here = lane + static_cast<u32>((address - begin) / a.width);
    page.each_run(first, last, lane_here, of_lane, [&](u64 word, u64 until, LaneRule rule) {
      f(page, word, until, Threads{static_cast<std::uint8_t>(a.warp), rule}, place + word - first);
    });
    address += (last - first) * kWord;
  }
}

void BlockRaces::load_stretch(const WarpAccess& a, u32 site, u32 lane, u32 lanes) {
  each_run(a, lane, lanes, [&](Page& page, u64 begin, u64, Threads threads, u64) {
    if (page.written && page.written[begin].latest == number_) return;
    if (page.is_apart(begin)) threads = threads.alone(begin);
    note(make(page, page.read, begin), site, threads);
  });
}

void BlockRaces::store_stretch(const WarpAccess& a, u32 site, u32 lane, u32 lanes) {
  const u32 words = a.width / kWord;
  std::array<u32, kLanes * 8> values;
  bool known = true, unknown = true;
  const std::byte* const all = stored_side_by_side(a);
  if (all != nullptr) {
    std::memcpy(values.data(), all + std::size_t{lane} * a.width, std::size_t{lanes} * a.width);
    unknown = false;
  }
  for (u32 i = 0; i < (all != nullptr ? 0 : lanes); ++i) {
    for (u32 word = 0; word < words; ++word) {
      const std::optional<u32> value = stored_word(a.stored, lane + i, word);
      values[i * words + word] = value.value_or(0);
      known &= value.has_value();
      unknown &= !value.has_value();
    }
  }
  each_run(a, lane, lanes, [&](Page& page, u64 begin, u64 end, Threads threads, u64 place) {
    const u32* const of_run = unknown ? nullptr : values.data() + place;
    if ((known || unknown) && !page.is_apart(begin) && store_run(page, begin, end, site, threads, of_run))
      return;
    for (u64 word = begin; word < end; ++word) {
      const auto i = static_cast<u32>(place + word - begin);
      store(page, word, site, threads.alone(word), stored_word(a.stored, lane + i / words, i % words));
    }
  });
}

bool BlockRaces::meets_input(u64 begin, u64 end) const {
  return std::ranges::any_of(
      inputs_, [&](const DeviceRange& in) { return begin < in.begin + in.bytes && in.begin < end; });
}

/// A fast path: most accesses are reads of an input by adjacent lanes.
bool BlockRaces::all_within_input(const WarpAccess& a, u32 lanes) const {
  const u64 here = a.addresses[std::countr_zero(lanes)];
  const auto in =
      std::ranges::find_if(inputs_, [&](const DeviceRange& i) { return here - i.begin < i.bytes; });
  if (in == inputs_.end()) return false;
  const u64 begin = in->begin, last = in->begin + in->bytes - 1;
  u64 outside = 0;        // its highest bit is set if any lane is outside
  if (lanes == a.mask) {  // inactive lanes hold the address of an active one
    for (u32 lane = 0; lane < kLanes; ++lane)
      outside |= (a.addresses[lane] - begin) | (last - a.addresses[lane]);
  } else {
    for (u32 left = lanes; left != 0; left &= left - 1) {
      const u64 address = a.addresses[std::countr_zero(left)];
      outside |= (address - begin) | (last - address);
    }
  }
  return outside >> 63 == 0;
}

void BlockRaces::access(const WarpAccess& a) {
  if (a.space != AccessSpace::Global || !watches()) return;
  const u32 lanes = kept_lanes(a);
  // Accesses that need no check are not counted, whether they were reported or not.
  if (a.kind == AccessKind::Load && !hands_over_ && (lanes == 0 || all_within_input(a, lanes))) return;
  ++block_->accesses;
  const u32 at = site(a.program, a.instruction);
  const Site& s = sites_[at];
  const bool acquired = block_->acquired;
  // The value may show that another block is done, if that block released it behind a fence.
  const bool may_tell = a.kind == AccessKind::Atomic ? s.meets_fence : s.strong;
  if (hands_over_ && !s.within_block && may_tell) block_->acquired = true;
  // A strong load may poll for another block's value.
  const bool looks = a.kind == AccessKind::Load && s.looks;
  if (acquired || a.width % kWord != 0 || at > std::numeric_limits<std::uint16_t>::max()) return;
  if (lanes == 0 || all_within_input(a, lanes)) return;
  const auto each = [&](u32 mask, auto&& meet) {
    for (u32 left = mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<u32>(std::countr_zero(left));
      const u64 address = a.addresses[lane];
      if (meets_input(address, address + 1)) continue;
      for (u32 word = 0; word < a.width / kWord; ++word) {
        const u64 place = address + word * kWord;
        meet(page(place / kPage), place % kPage / kWord, lane, word);
      }
    }
  };
  const auto threads = [&](u32 lane) {
    return Threads{static_cast<std::uint8_t>(a.warp), static_cast<LaneRule>(lane)};
  };
  const auto load_word = [&](Page& page, u64 word, u32 lane, u32) { load(page, word, at, threads(lane)); };
  const auto store_word = [&](Page& page, u64 word, u32 lane, u32 of_lane) {
    store(page, word, at, threads(lane), stored_word(a.stored, lane, of_lane));
  };
  if (a.kind == AccessKind::Atomic) {
    return each(lanes, [&](Page& page, u64 word, u32 lane, u32) { change(page, word, at, threads(lane)); });
  }
  if (looks) {
    each(lanes, [&](Page& page, u64 word, u32, u32) {
      if (!page.changed) return;
      page.set_apart(word);
      make(page, page.changed, word).asked = number_;
    });
    if (!s.takes) return;
  }
  if (!whole_runs_ || s.strong || a.width > 32) {
    if (a.kind == AccessKind::Load) return each(lanes, load_word);
    return each(lanes, store_word);
  }
  each_stretch(a, lanes, a.addresses, [&](u32 lane, u32 count) {
    const u64 begin = a.addresses[lane];
    const bool alone = count == 1 || meets_input(begin, begin + u64{count} * a.width);
    const u32 stretch = (count == kLanes ? ~0u : (1u << count) - 1) << lane;
    if (a.kind == AccessKind::Load)
      alone ? each(stretch, load_word) : load_stretch(a, at, lane, count);
    else
      alone ? each(stretch, store_word) : store_stretch(a, at, lane, count);
  });
}

void BlockRaces::join(BlockRaces& other) {
  std::vector<u32> sites;
  sites.reserve(other.sites_.size());
  for (const Site& s : other.sites_) sites.push_back(site(s.program, s.instruction));
  bool same_sites = true;
  for (std::size_t at = 0; at < sites.size(); ++at) same_sites &= sites[at] == at;
  recent_ = other.recent_ = {};
  if (same_sites && pages_.empty()) {
    pages_.swap(other.pages_);
    planes_ += std::exchange(other.planes_, 0);
    return;
  }
  for (auto& [number, theirs] : other.pages_) {
    Page& mine = page(number);
    if (same_sites && mine.empty()) {  // the usual case
      mine = std::move(theirs);
      planes_ += mine.planes();
    } else {
      join_page(mine, theirs, sites);
    }
  }
  other.pages_.clear();
}

void BlockRaces::join_page(Page& mine, Page& theirs, const std::vector<u32>& sites) {
  const auto join_use = [&sites](Use& use, Use more) {
    for (std::uint16_t& at : more.sites) at = static_cast<std::uint16_t>(sites[at]);
    widen(use, more);
  };
  const auto begin = [this](auto& plane, const auto& other) {
    if (!other || plane) return;
    plane.begin();
    ++planes_;
  };
  begin(mine.read, theirs.read);
  begin(mine.written, theirs.written);
  // Joins a run of both pages, or a word that is individual in both. False: the words of the run differ, and
  // nothing has changed.
  const auto join_written = [&](u64 word, u64 end) {
    const Written& more = theirs.written[word];
    Written& use = mine.make(mine.written, word);
    if (more.known) {
      const u32 *const values = theirs.stored() + word, *const last = theirs.stored() + end;
      u32* const stored = mine.stored() + word;
      const bool same = !use.known || std::equal(values, last, stored);
      if (!same && end - word > 1) return false;
      use.varies |= !same;
      std::copy(values, last, stored);
      use.known = true;
    }
    use.varies |= more.varies;
    if (more.first != kNobody) use.after_all = false;
    join_use(use, more);
    return true;
  };
  const auto join_word = [&](u64 word) {
    theirs.set_apart(word);
    mine.set_apart(word);
    if (theirs.read) join_use(mine.make(mine.read, word), theirs.read[word]);
    // It is unknown what the workers' blocks saw of each other's atomics.
    if (theirs.changed && theirs.changed[word].first != kNobody) {
      join_use(make(mine, mine.changed, word), theirs.changed[word]);
      if (mine.written) mine.make(mine.written, word).after_all = false;
    }
    if (theirs.written) join_written(word, word + 1);
  };
  const auto join_run = [&](u64 first, u64 last) {
    const bool whole = last - first > 1 && !theirs.is_apart(first) && !mine.is_apart(first);
    const bool stored = theirs.written && !theirs.written[first].empty();
    if (whole && (!stored || join_written(first, last))) {
      if (theirs.read) join_use(mine.make(mine.read, first), theirs.read[first]);
      return;
    }
    for (u64 word = first; word < last; ++word) join_word(word);
  };
  theirs.each_run([&](u64 first, u64 last) {
    const bool read = theirs.read && !theirs.read[first].empty();
    const bool stored = theirs.written && !theirs.written[first].empty();
    if (!read && !stored && !theirs.is_apart(first)) return;
    mine.each_run(first, last, 0, 0, [&](u64 begin, u64 end, LaneRule) {
      theirs.each_run(begin, end, 0, 0, [&](u64 from, u64 to, LaneRule) { join_run(from, to); });
    });
  });
}

void BlockRaces::finish(FindingList& found) {
  if (planes_ > kMaxPlanes || pages_.size() > kMaxPages) return;
  // In order: the first of several similar words is the example.
  std::vector<std::pair<u64, const Page*>> pages;
  for (const auto& [number, page] : pages_) pages.emplace_back(number, &page);
  std::ranges::sort(pages);
  for (const auto& [number, here] : pages) {
    const Page& page = *here;
    const u64 begin = number * kPage;
    for (u64 word = 0; page.changed && word < kPage / kWord; ++word) {
      const Changed& changed = page.changed[word];
      if (changed.first == kNobody ||
          !std::ranges::any_of(changed.sites, [&](auto s) { return sites_[s].within_block; }))
        continue;
      meet(Conflict::BlockScope, begin, word, changed, AccessKind::Atomic, changed, AccessKind::Atomic);
    }
    if (!page.written) continue;
    page.each_run([&](u64 first, u64 last) {
      const Written& written = page.written[first];
      if (written.first == kNobody) return;
      const Use read_by = page.read ? page.read[first] : Use();
      if (!page.is_apart(first) && !differ(written, read_by)) return;
      for (u64 word = first; word < last; ++word) {
        if (page.changed && !written.after_all)
          meet(Conflict::WriteAtomic, begin, word, written, AccessKind::Store, page.changed[word],
               AccessKind::Atomic);
        const bool read =
            meet(Conflict::ReadWrite, begin, word, written, AccessKind::Store, read_by, AccessKind::Load);
        if (written.varies && !read)
          meet(Conflict::WriteWrite, begin, word, written, AccessKind::Store, written, AccessKind::Store);
      }
    });
  }
  RaceReports::finish(found);
}

/// Compares the last of one with the first of the other, and vice versa: if both pairs are equal, all blocks
/// are.
bool BlockRaces::differ(const Use& one, const Use& other) {
  return other.first != kNobody && (one.last != other.first || one.first != other.last);
}

bool BlockRaces::meet(Conflict conflict, u64 page, u64 word, const Use& one, AccessKind did, const Use& other,
                      AccessKind other_did) {
  if (!differ(one, other)) return false;
  const bool last_here = one.last != other.first;
  const std::size_t here = last_here ? 1 : 0, there = last_here ? 0 : 1;
  const u32 block = last_here ? one.last : one.first, other_block = last_here ? other.first : other.last;
  // A volatile or relaxed store may be concurrent with atomics: neither tears.
  if (conflict == Conflict::WriteAtomic && sites_[one.sites[here]].strong) return false;
  const Key key{
      conflict, Relation::OtherBlock, false, {one.sites[here], did}, {other.sites[there], other_did}};
  const u32 thread = one.threads[here].at(word);
  seen_[key].add(block, thread,
                 {page + word * kWord, kWord, thread, other_block, other.threads[there].at(word), false});
  return true;
}

}  // namespace cudalabs::sim
