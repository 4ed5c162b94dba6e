#include "grader/sim/checkers/race/release_acquire.h"

#include <bit>
#include <optional>

namespace cudalabs::sim {

using u32 = std::uint32_t;

void BlockPast::begin(u32 block, u32 now) {
  *this = BlockPast{};
  block_ = block;
  barrier_ = now;
}

void BlockPast::barrier(u32 now) {
  const auto share = [](u32& warps, auto& of_warps) {
    if (warps == 0) return;
    auto& all = of_warps[static_cast<u32>(std::countr_zero(warps))];
    for (u32 left = warps & (warps - 1); left != 0; left &= left - 1)
      all.join(of_warps[static_cast<u32>(std::countr_zero(left))]);
    for (auto& one : of_warps) one = all;
    warps = ~u32{0};
  };
  share(knowing_, known_);
  share(hearing_, heard_);
  share(fencing_, fenced_);
  barrier_ = now;
}

void BlockPast::fence(u32 warp, bool within_block, u32 now) {
  if (!within_block && has(hearing_, warp)) learn(warp, heard_[warp]);
  HappensBefore& fenced = fenced_[warp];
  fenced.near = until(warp, now);
  if (!within_block) fenced.far = fenced.near;
  fencing_ |= 1u << warp;
}

void BlockPast::arrive(u32 warp, u32 offset, bool completes, u32 now) {
  Phase& phase = mbarriers_[offset];
  phase.current.join(until(warp, now));
  if (fences(warp)) phase.current_fenced.join(fenced_[warp]);
  if (!completes) return;
  phase.completed = phase.current;
  phase.completed_fenced = phase.current_fenced;
}

void BlockPast::pass(u32 warp, u32 offset) {
  const Phase& phase = mbarriers_[offset];
  learn(warp, phase.completed);
  if (phase.completed_fenced.empty()) return;
  fenced_[warp].join(phase.completed_fenced);
  fencing_ |= 1u << warp;
}

/// All that happens before the warp's accesses after `now`, including its own earlier ones.
RaceClock BlockPast::until(u32 warp, u32 now) const {
  RaceClock clock = known_[warp];
  clock.see(block_, RaceClock::kAll, barrier_);
  clock.see(block_, warp, now);
  return clock;
}

void BlockPast::learn(u32 warp, const RaceClock& more) {
  if (more.empty()) return;
  known_[warp].join(more);
  knowing_ |= 1u << warp;
}

void BlockPast::hear(u32 warp, const RaceClock& more) {
  if (more.empty()) return;
  heard_[warp].join(more);
  hearing_ |= 1u << warp;
}

void ReleaseAcquire::access(BlockPast& past, u32 warp, const Way& way, std::span<const std::uint64_t> words,
                            u32 now) {
  const AccessKind kind = way.kind;
  const u32 block = past.block_;
  HappensBefore mine;
  if (kind != AccessKind::Load && past.fences(warp)) {
    mine = past.fenced_[warp];
    if (way.within_block) mine.far = {};
    if (kind == AccessKind::Atomic) {
      mine.near.see(block, RaceClock::kAtomics + warp, now);
      if (!mine.far.empty()) mine.far.see(block, RaceClock::kAtomics + warp, now);
    }
  }
  RaceClock learned, heard;
  std::optional<std::uint64_t> last;
  for (const std::uint64_t word : words) {
    if (word == last) continue;
    last = word;
    const auto at = released_.find(word);
    if (at != released_.end() && kind != AccessKind::Store) {
      const Released& there = at->second;
      if (there.block == block)
        learned.join(there.pasts.near);
      else if (!way.within_block)
        (way.acquires ? learned : heard).join(there.pasts.far);
    }
    if (kind == AccessKind::Store) {
      if (!mine.empty())
        released_.insert_or_assign(word, Released{mine, block});
      else if (at != released_.end())
        released_.erase(at);
    } else if (kind == AccessKind::Atomic && !mine.empty()) {
      Released& there = released_[word];
      if (there.block != block) there = {{there.pasts.far, there.pasts.far}, block};
      there.pasts.join(mine);
    }
  }
  past.learn(warp, learned);
  past.hear(warp, heard);
}

}  // namespace cudalabs::sim
