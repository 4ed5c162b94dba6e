// Why a version is slow: the dominant bound of the estimate, and its cause.

#include "grader/grading/score/slowness.h"

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

using Launches = std::vector<LaunchRecord>;

/// 32 blocks of 256 threads; all counts are on line 12.
LaunchRecord launch(const sim::Counters& counters, const sim::CostBounds& bounds) {
  LaunchRecord launch;
  launch.grid = {32, 1, 1};
  launch.block = {256, 1, 1};
  launch.counters = counters;
  launch.lines = {{"/build/row_max.cu", 12, counters}};
  launch.bounds = bounds;
  return launch;
}

sim::Counters counters() {
  sim::Counters c;
  c.warp_instructions = 100000;
  c.global_load_sectors = c.global_load_ideal_sectors = 8000;
  c.source_shared_load_wavefronts = 3200;
  c.barriers = 100;
  return c;
}

const sim::CostBounds kBounds{
    .launch = 2500, .issue = 1000, .shared = 1000, .l2 = 1000, .memory = 3000, .latency = 1000};

Remark why(const sim::Counters& mine, const sim::CostBounds& bounds, std::size_t times = 1) {
  return explain_time(Launches(times, launch(mine, bounds)), Launches{launch(counters(), kBounds)});
}

}  // namespace

TEST_CASE("nothing stands out where nothing takes longer") { CHECK(why(counters(), kBounds).reason.empty()); }

TEST_CASE("the bound that makes up most of the difference is named, with what is behind it") {
  sim::Counters c = counters();
  sim::CostBounds bounds = kBounds;
  // Everything exceeds the reference's; most time is in the bound that grew most.
  c.global_load_sectors *= 4;
  c.warp_instructions *= 8;
  c.source_shared_load_wavefronts *= 2;
  bounds.memory = 9000;
  bounds.issue = 6000;
  const Remark memory = why(c, bounds);
  CHECK(memory.reason.english() ==
        "it has 4.00 times the reference's global-memory sectors (32,000 against 8,000)");
  CHECK(memory.advice.english() ==
        "Coalesce the accesses to global memory: let neighbouring threads access neighbouring elements.");
  CHECK(memory.where == Location{"row_max.cu", 12, 0});

  bounds.issue = 12000;
  CHECK(why(c, bounds).reason.english() ==
        "it has 8.00 times the reference's warp instructions (800,000 against 100,000)");

  bounds.shared = 20000;
  CHECK(why(c, bounds).advice.english() ==
        "Read less from shared memory: keep values that a thread uses again in registers.");
  c.source_shared_load_bank_conflicts = 3200;
  CHECK(why(c, bounds).advice.english().starts_with("Pad the rows of the tile by one element"));
  c.shared_atomic_bank_conflicts = 3000;
  CHECK(why(c, bounds).advice.english().starts_with("Pad the rows of the tile by one element"));
  c.shared_atomic_bank_conflicts = 4000;  // padding does not separate them
  CHECK(why(c, bounds).advice.english().starts_with("Combine the warp's values with shuffles"));
}

TEST_CASE("coalesced accesses that are too many are not called scattered, nor cold ones too many") {
  sim::Counters c = counters();
  sim::CostBounds bounds = kBounds;
  bounds.memory = 9000;
  c.global_load_sectors = c.global_load_ideal_sectors = 32000;
  CHECK(why(c, bounds).advice.english().starts_with("Read each element once"));
  sim::Counters stores = counters();
  stores.global_store_sectors = stores.global_store_ideal_sectors = 24000;
  CHECK(why(stores, bounds).advice.english().starts_with("Store each result once"));
  CHECK(why(counters(), bounds).reason.english() ==
        "its counters match the reference's, but its steps wait longer for each other");
  LaunchRecord flat = launch(counters(), bounds);
  flat.block = {32, 8, 1};
  CHECK(explain_time(Launches{flat}, Launches{launch(counters(), kBounds)}).reason.english() ==
        "same memory traffic, higher latency: its blocks have 32 x 8 threads, the reference's 256 x 1");
}

TEST_CASE("waiting is told by what is waited for") {
  sim::CostBounds bounds = kBounds;
  bounds.latency = 40000;
  CHECK(why(counters(), bounds).reason.english() ==
        "its threads wait 39.0 us longer for their reads: the occupancy is too low to hide the latency");
  sim::Counters c = counters();
  c.barriers = 1000;
  CHECK(why(c, bounds).reason.english() ==
        "it has 9.91 times the reference's waits at __syncthreads() (1,000 against 100)");
  c = counters();
  c.warp_instructions *= 4;
  CHECK(why(c, bounds).reason.english() ==
        "it has 4.00 times the reference's warp instructions (400,000 against 100,000)");
  LaunchRecord narrow = launch(counters(), bounds);
  narrow.grid = {2, 1, 1};
  CHECK(explain_time(Launches{narrow}, Launches{launch(counters(), kBounds)}).reason.english() ==
        "it launches 512 threads, the reference 8,192");
}

TEST_CASE("launches, atomics and doubles have their own reasons") {
  CHECK(why(counters(), {.launch = 2500}, 4).reason.english() == "it launches 4 kernels, the reference 1");
  sim::Counters c = counters();
  sim::CostBounds bounds = kBounds;
  c.global_atomic_requests = 100;
  bounds.atomics = 50000;
  CHECK(why(c, bounds).reason.english() ==
        "it has 100 atomic instructions of a warp on global memory, the reference has none; atomic "
        "operations on one address wait 50.0 us");
  bounds.doubles = 100000;
  CHECK(why(c, bounds).reason.english() == "it computes more in double precision than the reference");
  c.local_store_requests = 100;
  CHECK(why(c, bounds).reason.english() == "it has 100 local-memory accesses, the reference has none");
}

TEST_CASE("a kernel of few threads is told of its threads, not of its instructions") {
  sim::CostBounds bounds = kBounds;
  bounds.issue = 40000;
  sim::Counters c = counters();
  c.warp_instructions = 176000;
  LaunchRecord narrow = launch(c, bounds);
  narrow.grid = {2, 1, 1};
  const auto reason = [&] {
    return explain_time(Launches{narrow}, Launches{launch(counters(), kBounds)}).reason.english();
  };
  CHECK(reason() == "it launches 512 threads, the reference 8,192");
  // Several launches of one kernel share its work.
  CHECK(explain_time(Launches(16, narrow), Launches{launch(counters(), kBounds)})
            .reason.english()
            .starts_with("it has 28.2 times the reference's warp instructions"));
  narrow.counters.warp_instructions = 3200000;  // fewer threads do not explain these
  CHECK(reason().starts_with("it has 32.0 times the reference's warp instructions"));

  // A GPU holds more threads than this.
  bounds.latency = 90000;
  LaunchRecord many = launch(counters(), kBounds), half = launch(counters(), bounds);
  many.grid = {4096, 1, 1};
  half.grid = {256, 1, 1};
  CHECK(explain_time(Launches{half}, Launches{many}).reason.english() ==
        "it launches 65,536 threads, the reference 1,048,576");
}

TEST_CASE("sectors of atomic operations are not taken for elements that are read twice") {
  sim::CostBounds bounds = kBounds;
  bounds.shared = 60000;
  sim::Counters c = counters();
  c.global_atomic_requests = c.global_atomic_sectors = c.global_atomic_ideal_sectors = 4000;
  const Remark told = why(c, bounds);
  CHECK(told.reason.english() ==
        "it has 4,000 atomic instructions of a warp on global memory, the reference has none");
  CHECK(told.advice.english().starts_with("Combine the values of a block first"));
  c.global_load_sectors = c.global_load_ideal_sectors = 16000;  // most of the increase
  CHECK(why(c, bounds).advice.english().starts_with("Read each element once"));
}

TEST_CASE("wavefronts of shared memory are explained by idle lanes, or lie on the way of scattered reads") {
  sim::CostBounds bounds = kBounds;
  bounds.shared = 60000;
  sim::Counters c = counters();
  c.source_shared_load_wavefronts *= 16;
  c.thread_instructions = c.warp_instructions;
  CHECK(why(c, bounds).advice.english() ==
        "Give every lane its share: only 1 of the 32 lanes of a warp work in this line.");
  c = counters();
  c.source_shared_load_wavefronts += 1600;
  c.global_load_sectors *= 8;
  CHECK(why(c, bounds).reason.english() ==
        "it has 8.00 times the reference's global-memory sectors (64,000 against 8,000)");
}

TEST_CASE("blocks of small tiles read elements again that each of them reads once") {
  sim::CostBounds bounds = kBounds;
  bounds.memory = 60000;
  sim::Counters c = counters(), theirs = counters();
  c.source_shared_load_instructions = theirs.source_shared_load_instructions = 3200;
  c.global_load_sectors = c.global_load_ideal_sectors = 16000;
  LaunchRecord small = launch(c, bounds), large = launch(theirs, kBounds);
  small.block = {16, 16, 1};
  large.block = {32, 8, 1};
  CHECK(explain_time(Launches{small}, Launches{large}).advice.english().starts_with("Make the tiles larger"));
  small.block = {32, 8, 1};
  CHECK(
      explain_time(Launches{small}, Launches{large}).advice.english().starts_with("Read each element once"));
}

TEST_CASE("double precision is no cause where the time goes elsewhere") {
  sim::CostBounds bounds = kBounds;
  bounds.doubles = 3000;
  bounds.issue = 10000;  // doubles come with conversions
  CHECK(why(counters(), bounds).reason.english() ==
        "it computes more in double precision than the reference");
  bounds.l2 = 15000;
  sim::Counters c = counters();
  c.global_store_sectors = 40000;
  CHECK(why(c, bounds).reason.english() ==
        "it has 6.00 times the reference's global-memory sectors (48,000 against 8,000)");
}

TEST_CASE("a kernel of one thread that takes most of the time is named") {
  sim::CostBounds bounds = kBounds;
  bounds.latency = 20000;
  LaunchRecord alone = launch(counters(), bounds);
  alone.kernel = "finish";
  alone.grid = alone.block = {1, 1, 1};
  alone.lines = {{"/build/row_max.cu", 48, counters()}};
  const Launches reference{launch(counters(), kBounds)};
  const Remark told = explain_time(Launches{launch(counters(), kBounds), alone}, reference);
  CHECK(told.reason.english() == "28.5 us of it are spent in the kernel finish, which has 1 thread");
  CHECK(told.where == Location{"row_max.cu", 48, 0});
  alone.bounds = {.launch = 2500, .latency = 1000};
  LaunchRecord slow = launch(counters(), bounds);
  CHECK(explain_time(Launches{slow, alone}, reference).reason.english().starts_with("its threads wait"));
}

}  // namespace cudalabs
