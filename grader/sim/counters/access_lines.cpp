#include "grader/sim/counters/access_lines.h"

#include <algorithm>

#include "grader/sim/counters/wavefronts.h"

namespace cudalabs::sim {
namespace {

counting::SharedAccess counted_as(AccessKind kind) {
  switch (kind) {
    case AccessKind::Load: return counting::SharedAccess::Load;
    case AccessKind::Store: return counting::SharedAccess::Store;
    case AccessKind::Atomic: break;
  }
  return counting::SharedAccess::Atomic;
}

}  // namespace

std::vector<std::uint32_t> passes(const SharedExample& access) {
  const int count = counting::detail::passes(static_cast<int>(access.width), access.offsets.data(),
                                             access.mask, counted_as(access.kind));
  std::vector<std::uint32_t> all;
  for (int pass = 0; pass < count; ++pass)
    all.push_back(access.mask & counting::detail::lanes(pass * (32 / count), 32 / count));
  return all;
}

BankLoad bank_load(const SharedExample& access, std::uint32_t pass) {
  BankLoad banks;
  for (std::uint32_t lane = 0; lane < access.offsets.size(); ++lane) {
    if ((pass >> lane & 1) == 0) continue;
    for (std::uint32_t byte = 0; byte < std::max(access.width, 4u); byte += 4) {
      const std::uint32_t word = access.offsets[lane] / 4 + byte / 4;
      auto& words = banks[word % 32];
      const auto shared = std::find_if(words.begin(), words.end(), [&](const BankWord& w) {
        return access.lanes_share && w.word == word;
      });
      if (shared == words.end()) {
        words.push_back({word, 1u << lane});
      } else {
        shared->lanes |= 1u << lane;
      }
    }
  }
  return banks;
}

}  // namespace cudalabs::sim
