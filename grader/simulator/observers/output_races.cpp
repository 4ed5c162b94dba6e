#include "grader/simulator/observers/output_races.h"

#include <algorithm>
#include <bit>

namespace cudalabs::sim {
namespace {

constexpr std::uint64_t kWord = 4;
constexpr std::size_t kMostWords = 4096;  // of a block

}  // namespace

void OutputUses::access(const WarpAccess& a, std::span<const DeviceRange> outputs) {
  if (a.space != AccessSpace::Global || fenced_) return;
  for (std::uint32_t left = a.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t address = a.addresses[lane];
    const bool output =
        std::ranges::any_of(outputs, [&](const DeviceRange& o) { return address - o.begin < o.bytes; });
    if (!output) continue;
    for (std::uint64_t word = address / kWord; word * kWord < address + a.width; ++word) {
      if (uses_.size() >= kMostWords && !uses_.contains(word * kWord)) return;
      Use& use = uses_[word * kWord];
      std::optional<Place>& place = a.kind == AccessKind::Load    ? use.read
                                    : a.kind == AccessKind::Store ? use.written
                                                                  : use.changed;
      if (!place) place = Place{a.program, a.instruction, a.warp * kLanes + lane, a.width};
    }
  }
}

const std::map<std::uint64_t, OutputUses::Use>& OutputUses::uses() const {
  static const std::map<std::uint64_t, Use> none;
  return fenced_ ? none : uses_;
}

void OutputRaces::add(std::uint64_t block, const OutputUses& uses) {
  for (const auto& [address, use] : uses.uses()) {
    std::vector<Earlier>& others = earlier_[address];
    for (const auto& [other_block, other] : others) {
      if (use.written && other.changed)
        meet(Conflict::WriteAtomic, address, block, *use.written, AccessKind::Store, other_block,
             *other.changed, AccessKind::Atomic);
      if (use.changed && other.written)
        meet(Conflict::WriteAtomic, address, block, *use.changed, AccessKind::Atomic, other_block,
             *other.written, AccessKind::Store);
      if (use.read && other.written)
        meet(Conflict::ReadWrite, address, block, *use.read, AccessKind::Load, other_block, *other.written,
             AccessKind::Store);
      if (use.written && other.read)
        meet(Conflict::ReadWrite, address, block, *use.written, AccessKind::Store, other_block, *other.read,
             AccessKind::Load);
    }
    others.push_back({block, use});
  }
}

void OutputRaces::meet(Conflict conflict, std::uint64_t address, std::uint64_t block, const Place& here,
                       AccessKind did, std::uint64_t other_block, const Place& other, AccessKind other_did) {
  const Key key{conflict,
                Relation::OtherBlock,
                false,
                {site(here.program, here.instruction), did},
                {site(other.program, other.instruction), other_did}};
  seen_[key].add(
      block, here.thread,
      {address, here.width, here.thread, static_cast<std::uint32_t>(other_block), other.thread, false});
}

}  // namespace cudalabs::sim
