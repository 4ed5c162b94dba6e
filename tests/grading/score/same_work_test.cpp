#include "grader/grading/score/same_work.h"

#include <utility>
#include <vector>

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

using Call = std::vector<LaunchRecord>;

/// `blocks` blocks of 256 threads, each with the same work.
LaunchRecord launch(const char* name, std::uint64_t code, std::uint32_t blocks) {
  LaunchRecord record;
  record.kernel = record.kernel_full = name;
  record.code = code;
  record.grid = {blocks, 1, 1};
  record.block = {256, 1, 1};
  record.static_shared_bytes = 4096;
  sim::Counters& c = record.counters;
  c.warp_instructions = 400 * blocks;
  c.thread_instructions = 32 * c.warp_instructions;
  c.global_load_requests = c.global_store_requests = 32 * blocks;
  c.global_load_sectors = c.global_store_sectors = 128 * blocks;
  c.source_shared_load_instructions = c.source_shared_load_wavefronts = 32 * blocks;
  c.barriers = 8 * blocks;
  return record;
}

/// A kernel that starts, reads its clock and ends.
LaunchRecord idle(std::uint32_t blocks) {
  LaunchRecord record = launch("idle", 77, blocks);
  record.counters = {};
  record.counters.warp_instructions = 100'000;
  return record;
}

/// One store by one thread.
LaunchRecord token() {
  LaunchRecord record = launch("token", 78, 1);
  record.counters = {};
  record.counters.warp_instructions = record.counters.thread_instructions = 8;
  record.counters.global_store_requests = record.counters.global_store_sectors = 1;
  return record;
}

std::optional<SameWork> compared(const Call& one, const Call& other) { return same_work(one, other, true); }

const Call kWhole{launch("tile", 5, 1000)};

}  // namespace

TEST_CASE("the same launches are the same work, whatever the kernel is called", "[same_work]") {
  const auto same = compared(kWhole, kWhole);
  REQUIRE(same);
  CHECK_FALSE(same->renamed);
  CHECK_FALSE(same->relaunched);
  const auto renamed = compared(kWhole, Call{launch("tile<1>", 5, 1000)});
  REQUIRE(renamed);
  CHECK(renamed->renamed);
  CHECK_FALSE(renamed->relaunched);
}

TEST_CASE("other code with the same traffic, conflicts and barriers is the same work", "[same_work]") {
  Call copied{launch("copied", 6, 1000)};
  CHECK(compared(kWhole, copied));
  sim::Counters& c = copied[0].counters;
  SECTION("with instructions for show") {
    c.warp_instructions += c.warp_instructions / 5;
    CHECK(compared(kWhole, copied));
    c.warp_instructions += c.warp_instructions / 5;
    CHECK_FALSE(compared(kWhole, copied));
  }
  SECTION("with __syncwarp() for show") {
    c.warp_exchanges += 1'000'000;
    CHECK(compared(kWhole, copied));
  }
  SECTION("but not with another tile, where that is what is asked") {
    copied[0].static_shared_bytes += 128;
    CHECK_FALSE(compared(kWhole, copied));
    CHECK(same_work(kWhole, copied, false));
  }
  SECTION("nor with other traffic") {
    c.source_shared_load_wavefronts += c.source_shared_load_wavefronts / 8;
    CHECK_FALSE(compared(kWhole, copied));
  }
}

TEST_CASE("what the host does with a kernel makes no other version of it", "[same_work]") {
  const auto relaunched = [](const Call& call) {
    for (const auto& [one, other] : {std::pair(kWhole, call), std::pair(call, kWhole)}) {
      const auto same = compared(one, other);
      REQUIRE(same);
      CHECK(same->relaunched);
    }
  };
  SECTION("in pieces, on as many streams") {
    relaunched({launch("tile", 5, 500), launch("tile", 5, 500)});
    relaunched(Call(8, launch("tile", 5, 126)));  // each rounds its blocks up
  }
  SECTION("beside kernels that leave nothing behind, or next to nothing") {
    relaunched({idle(1), launch("tile", 5, 1000), idle(100)});
    relaunched({token(), launch("tile", 5, 1000), token()});
  }
  SECTION("in blocks of another size") {
    Call call{launch("tile", 5, 1000)};
    call[0].grid = {500, 1, 1};
    call[0].block = {512, 1, 1};
    relaunched(call);
  }
  SECTION("with dynamic shared memory that the code cannot reach") {
    Call call{launch("tile", 5, 1000)};
    call[0].dynamic_shared_bytes = 4;
    relaunched(call);
  }
  SECTION("with a few bytes of dynamic shared memory more") {
    Call call{launch("tile", 5, 1000)};
    call[0].uses_dynamic_shared = true;
    call[0].dynamic_shared_bytes = 4224;
    Call more = call;
    more[0].dynamic_shared_bytes += 16;
    CHECK(compared(call, more));
  }
  SECTION("with another kernel's work for show") {
    relaunched({launch("tile", 5, 1000), launch("other", 9, 200)});
  }
}

TEST_CASE("a tile of another pitch or swizzle in an array of equal size is another version", "[same_work]") {
  // Layouts of lanes: along a row, down a column of pitch 33, and down one that is swizzled.
  constexpr std::uint64_t kRow = 3, kColumn = 5, kSwizzled = 9;
  LaunchRecord padded = launch("tile<1>", 5, 1000), swizzled = launch("tile<0>", 6, 1000);
  padded.shared_layouts = {{kRow, 1000}, {kColumn, 500}};
  swizzled.shared_layouts = {{kRow, 1000}, {kSwizzled, 500}};
  CHECK_FALSE(compared({padded}, {swizzled}));
  // Few accesses for show make no other version.
  LaunchRecord copy = padded;
  copy.code = 7;
  copy.shared_layouts.push_back({kSwizzled, 20});
  CHECK(compared({padded}, {copy}));
  // Algorithms are compared by what they do, not by how their tiles lie.
  CHECK(same_work(Call{padded}, Call{swizzled}, false));
}

TEST_CASE("a kernel that works otherwise is another version", "[same_work]") {
  Call other = kWhole;
  SECTION("another tile that the template is given") {
    other[0].code = 6;
    other[0].static_shared_bytes += 128;
  }
  SECTION("a pitch that the host passes, with fewer conflicts") {
    other[0].counters.source_shared_load_bank_conflicts =
        31 * other[0].counters.source_shared_load_instructions;
    other[0].counters.source_shared_load_wavefronts += other[0].counters.source_shared_load_bank_conflicts;
  }
  SECTION("a pitch that the host passes, and no conflicts either way") {
    other[0].uses_dynamic_shared = true;
    other[0].dynamic_shared_bytes = 128;
  }
  SECTION("fewer blocks that do more each: the trees of the others are gone") {
    other[0].grid = {250, 1, 1};
    other[0].counters.barriers /= 4;
    other[0].counters.warp_instructions -= other[0].counters.warp_instructions / 4;
  }
  SECTION("the same finish behind another beginning") {
    const LaunchRecord finish = launch("finish", 8, 100);
    const Call one{launch("tile", 5, 1000), finish};
    other = {launch("padded", 6, 1000), finish};
    other[0].static_shared_bytes += 128;
    CHECK_FALSE(compared(one, other));
  }
  SECTION("half of the work") { other = {launch("tile", 5, 500)}; }
  SECTION("none") { other.clear(); }
  CHECK_FALSE(compared(kWhole, other));
  CHECK_FALSE(compared(other, kWhole));
}

}  // namespace cudalabs
