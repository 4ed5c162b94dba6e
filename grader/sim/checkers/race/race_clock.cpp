#include "grader/sim/checkers/race/race_clock.h"

#include <algorithm>
#include <utility>

namespace cudalabs::sim {

void RaceClock::see(std::uint32_t block, Who who, std::uint32_t until) {
  if (this->until(block, who) >= until) return;
  if (block / kBlocks >= stretches_.size()) stretches_.resize(block / kBlocks + 1);
  auto& owned = stretches_[block / kBlocks];
  auto stretch = owned ? std::make_shared<Stretch>(*owned) : std::make_shared<Stretch>();
  const auto at = std::ranges::lower_bound(*stretch, key(block, who), {}, &Entry::key);
  if (at != stretch->end() && at->key == key(block, who))
    at->until = until;
  else
    stretch->insert(at, {key(block, who), until});
  owned = std::move(stretch);
}

void RaceClock::join(const RaceClock& other) {
  if (other.stretches_.size() > stretches_.size()) stretches_.resize(other.stretches_.size());
  for (std::size_t s = 0; s < other.stretches_.size(); ++s) {
    auto& mine = stretches_[s];
    const auto& theirs = other.stretches_[s];
    if (mine == theirs || theirs == nullptr) continue;
    if (mine == nullptr) {
      mine = theirs;
      continue;
    }
    auto both = std::make_shared<Stretch>();
    both->reserve(std::max(mine->size(), theirs->size()) + 2);
    bool less = false, more = false;  // they know
    auto a = mine->begin(), b = theirs->begin();
    while (a != mine->end() || b != theirs->end()) {
      if (b == theirs->end() || (a != mine->end() && a->key < b->key)) {
        both->push_back(*a++);
        less = true;
      } else if (a == mine->end() || b->key < a->key) {
        both->push_back(*b++);
        more = true;
      } else {
        less |= b->until < a->until;
        more |= b->until > a->until;
        both->push_back({a->key, std::max(a->until, b->until)});
        ++a;
        ++b;
      }
    }
    if (more) mine = less ? std::move(both) : theirs;
  }
}

std::uint32_t RaceClock::until(std::uint32_t block, Who who) const {
  if (!has(block)) return 0;
  const Stretch& stretch = *stretches_[block / kBlocks];
  const auto at = std::ranges::lower_bound(stretch, key(block, who), {}, &Entry::key);
  return at != stretch.end() && at->key == key(block, who) ? at->until : 0;
}

bool RaceClock::knows(std::uint32_t block, std::uint32_t warp, std::uint32_t time) const {
  return has(block) && (until(block, warp) >= time || until(block, kAll) >= time);
}

bool RaceClock::knows_atomic(std::uint32_t block, std::uint32_t warp, std::uint32_t time) const {
  return has(block) && (until(block, kAtomics + warp) >= time || knows(block, warp, time));
}

}  // namespace cudalabs::sim
