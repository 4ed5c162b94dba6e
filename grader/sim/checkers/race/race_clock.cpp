#include "grader/sim/checkers/race/race_clock.h"

#include <algorithm>
#include <utility>

namespace cudalabs::sim {

std::size_t RaceClock::Stretch::find(std::uint64_t key) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(keys, key) - keys.begin());
}

void RaceClock::Stretch::add(std::uint64_t key, std::uint32_t until) {
  keys.push_back(key);
  untils.push_back(until);
}

void RaceClock::see(std::uint32_t block, Who who, std::uint32_t until) {
  if (this->until(block, who) >= until) return;
  if (block / kBlocks >= stretches_.size()) stretches_.resize(block / kBlocks + 1);
  auto& owned = stretches_[block / kBlocks];
  auto stretch = owned ? std::make_shared<Stretch>(*owned) : std::make_shared<Stretch>();
  const std::size_t at = stretch->find(key(block, who));
  const auto place = static_cast<std::ptrdiff_t>(at);
  if (stretch->has(at, key(block, who))) {
    stretch->untils[at] = until;
  } else {
    stretch->keys.insert(stretch->keys.begin() + place, key(block, who));
    stretch->untils.insert(stretch->untils.begin() + place, until);
  }
  owned = std::move(stretch);
}

void RaceClock::join(Shared& mine, const Shared& theirs) {
  const Stretch &a = *mine, &b = *theirs;
  bool less = false, more = false;  // they know
  std::shared_ptr<Stretch> both;
  if (a.keys == b.keys) {
    for (std::size_t k = 0; k < a.untils.size(); ++k) {
      less |= b.untils[k] < a.untils[k];
      more |= b.untils[k] > a.untils[k];
    }
    if (less && more) {
      both = std::make_shared<Stretch>(a);
      for (std::size_t k = 0; k < b.untils.size(); ++k) both->untils[k] = std::max(a.untils[k], b.untils[k]);
    }
  } else {
    both = std::make_shared<Stretch>();
    for (std::size_t i = 0, j = 0; i < a.keys.size() || j < b.keys.size();) {
      const bool in_a = i < a.keys.size() && (j == b.keys.size() || a.keys[i] <= b.keys[j]);
      const bool in_b = j < b.keys.size() && (i == a.keys.size() || b.keys[j] <= a.keys[i]);
      const std::uint32_t of_a = in_a ? a.untils[i] : 0, of_b = in_b ? b.untils[j] : 0;
      less |= of_b < of_a;
      more |= of_b > of_a;
      both->add(in_a ? a.keys[i] : b.keys[j], std::max(of_a, of_b));
      i += in_a ? 1 : 0;
      j += in_b ? 1 : 0;
    }
  }
  if (more) mine = less ? Shared(std::move(both)) : theirs;
}

void RaceClock::join(const RaceClock& other) {
  if (other.stretches_.size() > stretches_.size()) stretches_.resize(other.stretches_.size());
  for (std::size_t s = 0; s < other.stretches_.size(); ++s) {
    auto& mine = stretches_[s];
    const auto& theirs = other.stretches_[s];
    if (mine == theirs || theirs == nullptr) continue;
    if (mine == nullptr)
      mine = theirs;
    else
      join(mine, theirs);
  }
}

std::uint32_t RaceClock::until(std::uint32_t block, Who who) const {
  if (!has(block)) return 0;
  const Stretch& stretch = *stretches_[block / kBlocks];
  const std::size_t at = stretch.find(key(block, who));
  return stretch.has(at, key(block, who)) ? stretch.untils[at] : 0;
}

bool RaceClock::knows(std::uint32_t block, std::uint32_t warp, std::uint32_t time) const {
  return has(block) && (until(block, warp) >= time || until(block, kAll) >= time);
}

bool RaceClock::knows_atomic(std::uint32_t block, std::uint32_t warp, std::uint32_t time) const {
  return has(block) && (until(block, kAtomics + warp) >= time || knows(block, warp, time));
}

}  // namespace cudalabs::sim
