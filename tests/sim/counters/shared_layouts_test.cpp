#include "grader/sim/counters/shared_layouts.h"

#include <array>
#include <numeric>

#include "grader/sim/executable/observer.h"
#include "grader/sim/executable/program.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

using Offsets = std::array<std::uint32_t, kLanes>;

std::uint64_t layout(const Offsets& offsets, std::uint32_t mask = ~0u, std::uint32_t width = 4) {
  WarpAccess access;
  access.offsets = offsets.data();
  access.mask = mask;
  access.width = width;
  return layout_of(access);
}

/// Lanes `bytes` apart, from `first`.
Offsets apart(std::uint32_t bytes, std::uint32_t first = 0) {
  Offsets offsets{};
  for (std::uint32_t l = 0; l < kLanes; ++l) offsets[l] = first + l * bytes;
  return offsets;
}

}  // namespace

TEST_CASE("a layout is the distances between lanes, wherever they are and in any order", "[counters]") {
  CHECK(layout(apart(4)) == layout(apart(4, 4096)));
  Offsets reversed = apart(4);
  std::ranges::reverse(reversed);
  CHECK(layout(apart(4)) == layout(reversed));
  CHECK(layout(apart(4)) != layout(apart(132)));
  CHECK(layout(apart(128)) != layout(apart(132)));
  CHECK(layout(apart(4)) != layout(apart(4), 0xffff));
  CHECK(layout(apart(8)) != layout(apart(8), ~0u, 8));
  Offsets swizzled{};
  for (std::uint32_t row = 0; row < kLanes; ++row) swizzled[row] = (row * 32 + (row ^ 5)) * 4;
  CHECK(layout(swizzled) != layout(apart(128)));
  CHECK(layout(swizzled) != layout(apart(132)));
  Offsets idle = apart(4);
  idle[31] = 77777;  // of a lane that is not active
  CHECK(layout(apart(4), ~0u >> 1) == layout(idle, ~0u >> 1));
}

TEST_CASE("of many layouts the same ones are kept in any order", "[counters]") {
  SharedLayouts rising, falling;
  for (std::uint64_t n = 0; n < 1000; ++n) {
    rising.add(n * 7919 % 1000, n);
    falling.add((999 - n) * 7919 % 1000, 999 - n);
  }
  CHECK(rising.counts() == falling.counts());
  CHECK(rising.counts().size() == 64);
}

TEST_CASE("accesses in common are a share of all", "[counters]") {
  const std::vector<LayoutCount> one{{1, 30}, {2, 10}}, twice{{1, 60}, {2, 20}}, other{{2, 10}, {3, 30}};
  CHECK(common_layouts(one, twice) == 1);
  CHECK(common_layouts(one, other) == 0.25);
  CHECK(common_layouts(one, {}) == 0);
  CHECK(common_layouts({}, {}) == 1);
}

}  // namespace cudalabs::sim
