#include "grader/sim/counters/shared_layouts.h"

#include <algorithm>
#include <limits>

#include "grader/base/hash/hash.h"
#include "grader/sim/executable/observer.h"
#include "grader/sim/executable/program.h"

namespace cudalabs::sim {
namespace {

constexpr std::size_t kKept = 64;

std::uint64_t total(const std::vector<LayoutCount>& counts) {
  std::uint64_t sum = 0;
  for (const LayoutCount& count : counts) sum += count.accesses;
  return sum;
}

}  // namespace

std::uint64_t layout_of(const WarpAccess& access) {
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t l = 0; l < kLanes; ++l) {
    if ((access.mask >> l & 1) != 0) least = std::min(least, access.offsets[l]);
  }
  std::uint64_t layout = access.width;
  for (std::uint32_t l = 0; l < kLanes; ++l) {
    if ((access.mask >> l & 1) != 0)
      layout += scramble(access.offsets[l] - least + 1);  // a sum: in any order
  }
  return layout;
}

void SharedLayouts::add(std::uint64_t layout, std::uint64_t accesses) {
  accesses_[layout] += accesses;
  if (accesses_.size() > kKept) accesses_.erase(std::prev(accesses_.end()));
}

std::vector<LayoutCount> SharedLayouts::counts() const {
  std::vector<LayoutCount> counts;
  for (const auto& [layout, accesses] : accesses_) counts.push_back({layout, accesses});
  return counts;
}

double common_layouts(const std::vector<LayoutCount>& one, const std::vector<LayoutCount>& other) {
  const std::uint64_t ours = total(one), theirs = total(other);
  if (ours == 0 || theirs == 0) return ours == theirs ? 1 : 0;
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  double common = 0;
  auto here = one.begin();
  for (const LayoutCount& there : other) {
    while (here != one.end() && here->layout < there.layout) ++here;
    if (here == one.end()) break;
    if (here->layout == there.layout)
      common += std::min(share(here->accesses, ours), share(there.accesses, theirs));
  }
  return common;
}

}  // namespace cudalabs::sim
