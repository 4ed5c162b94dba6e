#include "grader/sim/ops/load_times.h"

#include <numeric>
#include <vector>

#include "tests/harness/catch.h"

namespace cudalabs::sim {

TEST_CASE("a block's loads are found where it has loaded them itself", "[clock]") {
  const LoadLatencies latencies{29, 38, 260, 470, 4 * 32, 8 * 32};
  LoadTimes times(latencies);
  CHECK(times.global(0x1000, false) == 470);
  CHECK(times.global(0x101f, false) == 38);
  CHECK(times.global(0x1020, false) == 470);
  // L1 holds four sectors, and the oldest is evicted.
  for (std::uint64_t k = 2; k < 5; ++k) CHECK(times.global(0x1000 + 32 * k, false) == 470);
  CHECK(times.global(0x1080, false) == 38);
  CHECK(times.global(0x1000, false) == 260);
  CHECK(times.global(0x1000, false) == 38);
  // A load that bypasses L1 neither reads nor fills it.
  CHECK(times.global(0x1000, true) == 260);
  CHECK(times.global(0x2000, true) == 470);
  CHECK(times.global(0x2000, false) == 260);
  // L2 holds eight sectors.
  for (std::uint64_t k = 0; k < 8; ++k) CHECK(times.global(0x3000 + 32 * k, true) == 470);
  CHECK(times.global(0x1020, true) == 470);
}

TEST_CASE("a card without L1 for loads, or without L2, has the next latency", "[clock]") {
  const LoadLatencies no_l1{29, 38, 260, 470, 0, 1024}, none{29, 38, 260, 470, 0, 0};
  LoadTimes old(no_l1), oldest(none);
  CHECK(old.global(0, false) == 470);
  CHECK(old.global(0, false) == 260);
  CHECK(oldest.global(0, false) == 470);
  CHECK(oldest.global(0, false) == 470);
}

TEST_CASE("passes over the banks", "[clock]") {
  std::vector<std::uint32_t> offsets(32);
  const auto passes = [&](std::uint32_t stride, std::uint32_t width, std::uint32_t mask = ~0u) {
    for (std::uint32_t l = 0; l < 32; ++l) offsets[l] = l * stride;
    return bank_passes(offsets.data(), mask, width);
  };
  CHECK(passes(4, 4) == 1);
  CHECK(passes(0, 4) == 1);
  CHECK(passes(1, 1) == 1);
  CHECK(passes(8, 4) == 2);
  CHECK(passes(128, 4) == 32);
  CHECK(passes(128, 4, 0xff) == 8);
  CHECK(passes(132, 4) == 1);
  CHECK(passes(8, 8) == 2);
  CHECK(passes(16, 16) == 4);
}

}  // namespace cudalabs::sim
