// Checks whether a version uses the required algorithm: for each condition a call that meets it and one that
// does not.

#include "grader/grading/score/algorithm.h"

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

/// A tree of 256 threads per block over 2^20 elements: 4096 blocks, nine barriers per warp.
CaseEvidence tree() {
  CaseEvidence timed;
  timed.input_elements = 1 << 20;
  timed.output_elements = 1;
  LaunchRecord launch;
  launch.kernel_full = "tree(float const*, float*)";
  launch.counters.global_load_sectors = 1 << 17;
  launch.grid = {4096, 1, 1};
  launch.block = {256, 1, 1};
  launch.counters.barriers = 4096 * 8 * 9;
  LaunchRecord second;  // sums the blocks' results; the requirement is not about it
  second.grid = {1, 1, 1};
  second.block = {32, 1, 1};
  timed.launches = {launch, second};
  return timed;
}

sim::Provenance origins(std::uint64_t shared, std::uint64_t lanes, std::uint64_t atomics) {
  sim::Provenance origins;
  origins.known = true;
  origins.from_shared = shared;
  origins.from_lanes = lanes;
  origins.by_atomics = atomics;
  return origins;
}

std::string why(const Algorithm& asked, const CaseEvidence& timed, const sim::Provenance& origins = {}) {
  const auto remark = other_algorithm(asked, timed, nullptr, origins);
  return remark ? remark->reason.english() : "";
}

}  // namespace

TEST_CASE("a fixed grid has as many threads for a larger input") {
  CaseEvidence timed = tree(), larger = timed;
  timed.threads = larger.threads = 1024;
  const auto why_not = [&] {
    const auto remark = other_algorithm({.fixed_grid = true}, timed, &larger, {});
    return remark ? remark->reason.english() : std::string();
  };
  larger.input_elements = 2 * timed.input_elements;
  CHECK(why_not().empty());
  larger.threads = 2048;
  CHECK(why_not().starts_with("the grid grows with the input: 1,024 threads for "));
  larger.input_elements = timed.input_elements + 1;  // too few more to tell
  CHECK(why_not().empty());
}

TEST_CASE("an algorithm is known by its barriers") {
  CHECK(why({.barriers = 9}, tree()).empty());
  CHECK(why({.barriers = 10}, tree()) == "a warp passes 9.0 barriers, but a tree has one before each round");
}

TEST_CASE("by the elements of a thread") {
  CHECK(why({.inputs_per_thread = 1}, tree()).empty());
  CHECK(why({.inputs_per_thread = 1.9}, tree()) ==
        "each thread takes 1.0 elements: 1,048,576 threads take 1,048,576 elements");
  CaseEvidence product = tree();
  product.output_elements = 4 << 20;
  CHECK(why({.outputs_per_thread = 4}, product).empty());
  CHECK(why({.outputs_per_thread = 1.9}, tree()) ==
        "each thread computes 0.0 results: 1,048,576 threads compute 1 result");
}

TEST_CASE("a kernel launched on halves is one, and one that pads beside it is not asked") {
  CaseEvidence halves = tree();
  halves.launches[0].grid.x /= 2;
  halves.launches[0].counters.barriers /= 2;
  halves.launches.push_back(halves.launches[0]);
  CHECK(why({.inputs_per_thread = 1.9}, halves) ==
        "each thread takes 1.0 elements: 1,048,576 threads take 1,048,576 elements");
  CHECK(why({.barriers = 9}, halves).empty());
  CaseEvidence padded = tree();
  LaunchRecord pad = padded.launches[0];
  pad.kernel_full = "pad(float const*, float*)";
  pad.counters.barriers = 0;
  padded.launches.insert(padded.launches.begin(), pad);
  CHECK(why({.barriers = 9}, padded).empty());
}

TEST_CASE("a tree beside the kernel that the results come from is none") {
  CaseEvidence timed = tree();
  LaunchRecord real = timed.launches[0];
  real.kernel_full = "real(float const*, float*)";
  real.counters.barriers = 0;
  timed.launches.push_back(real);
  sim::Provenance of = origins(255, 0, 1);
  of.kernels = {"real(float const*, float*)"};
  CHECK(why({.barriers = 9}, timed, of) == "a warp passes no barriers, but a tree has one before each round");
  of.kernels = {"tree(float const*, float*)"};
  CHECK(why({.barriers = 9}, timed, of).empty());
  of.kernels = {"of another name in the small case()"};
  CHECK_FALSE(why({.barriers = 9}, timed, of).empty());  // then all large kernels must meet it
  timed.launches.pop_back();
  CHECK(why({.barriers = 9}, timed, of).empty());
}

TEST_CASE("rounds within a warp, and of cuda::barrier, are rounds") {
  CaseEvidence timed = tree();
  timed.launches[0].counters.barriers = 0;
  timed.launches[0].counters.barrier_arrivals = 4096 * 8 * 3;
  CHECK(why({.barriers = 3}, timed).empty());
  timed.launches[0].counters.barrier_arrivals = 0;
  CHECK_FALSE(why({.barriers = 3}, timed).empty());
  timed.launches[0].counters.warp_exchanges = 4096 * 5;
  CHECK(why({.barriers = 3}, timed).empty());
}

TEST_CASE("by shuffles and waiting within a warp") {
  CaseEvidence timed = tree();
  CHECK(why({.warp_exchanges = 4}, timed) == "a block executes no shuffles, redux and __syncwarp()");
  timed.launches[0].counters.warp_exchanges = 4096 * 5;
  CHECK(why({.warp_exchanges = 4}, timed).empty());
}

TEST_CASE("trees by distances that grow or shrink from round to round") {
  const Algorithm neighbours{.distances = Distances::Growing}, halves{.distances = Distances::Shrinking};
  sim::Provenance seen = origins(255, 0, 1);
  seen.growing_distances = 6;
  seen.shrinking_distances = 1;
  CHECK(why(neighbours, tree(), seen).empty());
  CHECK(why(halves, tree(), seen) ==
        "the distances of the tree grow in 6 of 7 rounds, but they must shrink: the first round combines "
        "values half a block apart, the next one values a quarter apart");
  std::swap(seen.growing_distances, seen.shrinking_distances);
  CHECK(why(neighbours, tree(), seen) ==
        "the distances of the tree shrink in 6 of 7 rounds, but they must grow: the first round combines "
        "neighbours");
  CHECK(why(halves, tree(), seen).empty());
  CHECK(why(halves, tree(), origins(0, 0, 1)).empty());
  CHECK(why(neighbours, tree(), origins(0, 0, 1)) ==
        "the results do not come from a tree of several rounds in shared memory");
  CHECK(why(neighbours, tree()).empty());  // no provenance was tracked
}

TEST_CASE("results that share factors by how often these are loaded") {
  CaseEvidence timed = tree();
  timed.input_elements = 1000;
  timed.input_bytes = 8000;
  timed.factors = 1'000'000;
  sim::Counters& c = timed.launches[0].counters;
  c.shared_load_bytes = 8 * 700'000;
  c.global_load_requests = 1'000;
  CHECK(why({.loads_per_factor = 0.85}, timed).empty());
  c.global_load_requests = 5'000;
  CHECK_FALSE(why({.loads_per_factor = 0.85}, timed).empty());  // from global memory instead
  c.global_load_requests = 1'000;
  c.shared_load_bytes = 8 * 968'000;
  CHECK(why({.loads_per_factor = 0.85}, timed) ==
        "every factor of a product is loaded 1.00 times: a thread whose results share a factor should load "
        "it once");
  // Nor does it help to fetch factors by atomic operations.
  c.shared_load_bytes = 0;
  c.shared_atomic_bytes = 8 * 968'000;
  CHECK_FALSE(why({.loads_per_factor = 0.85}, timed).empty());
  c.shared_atomic_bytes = 0;
  c.global_atomic_requests = 30'250;
  CHECK_FALSE(why({.loads_per_factor = 0.85}, timed).empty());
  c.global_atomic_requests = 0;
  c.shared_load_bytes = 8 * 968'000;
  // The student is not responsible if the compiler did not merge two equal loads in a row.
  timed.launches[0].repeated_loads = {.shared_bytes = 8000, .shared_bytes_again = 2000};
  CHECK(why({.loads_per_factor = 0.85}, timed).empty());
  // A value that another lane loaded and passed on counts as loaded.
  c.warp_exchanges = 10'000;
  CHECK_FALSE(why({.loads_per_factor = 0.85}, timed).empty());
  timed.factors = 0;
  CHECK(why({.loads_per_factor = 0.85}, timed).empty());
}

TEST_CASE("repeated loads of one memory, or of one launch, do not pay for others") {
  CaseEvidence timed = tree();
  timed.input_elements = 1000;
  timed.input_bytes = 8000;
  timed.factors = 1'000'000;
  LaunchRecord& launch = timed.launches[0];
  launch.counters.shared_load_bytes = 8 * 2'000'000;
  launch.repeated_loads = {
      .shared_bytes = 8000, .shared_bytes_again = 7000, .global_bytes = 8000, .global = 1000};
  CHECK(why({.loads_per_factor = 0.85}, timed).empty());
  sim::Counters& c = launch.counters;
  c.global_load_requests = 20'000;
  CHECK_FALSE(why({.loads_per_factor = 0.85}, timed).empty());
  // A load of two elements is two loads.
  c.global_load_requests = 10'000;
  CHECK(why({.loads_per_factor = 0.85}, timed).empty());
  launch.repeated_loads.global_bytes *= 2;
  CHECK_FALSE(why({.loads_per_factor = 0.85}, timed).empty());
  launch.repeated_loads.global_bytes_again = 8000;
  CHECK(why({.loads_per_factor = 0.85}, timed).empty());
  c.global_load_requests = 0;
  c.global_atomic_requests = 20'000;
  CHECK_FALSE(why({.loads_per_factor = 0.85}, timed).empty());
  c.global_atomic_requests = 0;
  c.shared_atomic_bytes = 8 * 640'000;
  CHECK_FALSE(why({.loads_per_factor = 0.85}, timed).empty());
  c.shared_atomic_bytes = 0;
  LaunchRecord other = launch;
  other.counters.shared_load_bytes = 8 * 700'000;
  other.repeated_loads = {.shared_bytes = 8000};
  timed.launches.push_back(other);
  CHECK_FALSE(why({.loads_per_factor = 0.85}, timed).empty());
}

TEST_CASE("by the atomic operations on global memory, of all kernels together") {
  CaseEvidence timed = tree();
  timed.input_elements = 1000;
  timed.launches[0].counters.global_atomic_sectors = 100;
  CHECK(why({.global_atomics_per_input = 0.1}, timed).empty());
  timed.launches.push_back(timed.launches[0]);
  CHECK(why({.global_atomics_per_input = 0.1}, timed) ==
        "global memory executes 200 atomic operations for 1,000 elements");
  CHECK(why({.global_atomics_per_input = 0.2}, timed).empty());
  CHECK(why({}, timed).empty());  // a version without this mark
}

TEST_CASE("by the way on which partial results come together") {
  const Algorithm shared{.exchange = Exchange::SharedMemory}, shuffles{.exchange = Exchange::Shuffles};
  CHECK(why(shared, tree(), origins(255, 0, 1)).empty());
  CHECK(why(shared, tree(), origins(96, 31, 1)).empty());  // the last rounds by shuffles
  CHECK(why(shared, tree(), origins(32, 32, 0)).empty());  // but no kernel has both
  CHECK_FALSE(why(shuffles, tree(), origins(32, 32, 0)).empty());
  CHECK(why(shuffles, tree(), origins(7, 248, 1)).empty());
  CHECK(why(shared, tree(), origins(7, 248, 1)) ==
        "threads combine partial results by shuffles: 7 of 256 steps use shared memory");
  CHECK(why(shuffles, tree(), origins(255, 0, 1)) ==
        "threads combine partial results by shared memory: 0 of 256 steps use shuffles");
  CHECK(why(shuffles, tree(), origins(0, 0, 256)) ==
        "threads combine partial results by atomic operations: 0 of 256 steps use shuffles");
  CHECK(why(shared, tree(), {}).empty());  // no provenance was tracked
  CHECK(why(shared, tree(), origins(0, 0, 0)) == "threads exchange no values that a result is computed from");
}

}  // namespace cudalabs
