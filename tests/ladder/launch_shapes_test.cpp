// Launches of the same work in other shapes: a launch that leaves the GPU idle must not be estimated as fast.

#include "tests/harness/catch.h"
#include "tests/ladder/ladders.h"

namespace cudalabs::test {
namespace {

std::vector<double> times_of(const std::string& profile, unsigned threads = 0) {
  static const auto program = build_program(CUDALABS_TEST_DATA "/launch_shapes.cu");
  const ProgramRun run = run_program(program, {}, profile, threads);
  REQUIRE(run.end.out == "ok\n");
  std::vector<double> times;
  for (const LaunchRecord& launch : run.device.launches) times.push_back(launch.estimated_ns());
  REQUIRE(times.size() == 6);
  return times;
}

}  // namespace

TEST_CASE("odd launch shapes are not rewarded", "[shapes]") {
  for (const char* profile : {"gtx280", "k40c", "a100", "h200"}) {
    INFO(profile);
    const auto t = times_of(profile);
    const double blocks_of_128 = t[0], blocks_of_32 = t[1], blocks_of_1 = t[2], four_blocks = t[3],
                 one_block = t[4], one_thread = t[5];
    CHECK(blocks_of_32 >= blocks_of_128);
    CHECK(blocks_of_1 > 4 * blocks_of_128);
    CHECK(four_blocks > 4 * blocks_of_128);
    CHECK(one_block > 4 * blocks_of_128);
    CHECK(one_thread > 100 * one_block);
  }
}

TEST_CASE("an estimate is the same for any number of workers", "[workers]") {
  for (const char* profile : {"gtx280", "a100"}) {
    const auto one = times_of(profile, 1);
    for (const unsigned threads : {2u, 5u}) CHECK(times_of(profile, threads) == one);
  }
  // Barriers, shared memory, more blocks than the estimate examines closely, and a launch that depends on
  // another.
  const auto program = build_program(CUDALABS_SOURCE "/reference/lab5/ladder/03_strided_index.cu");
  const auto launches = [&](unsigned threads) {
    std::vector<double> times;
    for (const LaunchRecord& launch :
         run_program(program, {"200000", "double"}, "k40c", threads).device.launches)
      times.push_back(launch.estimated_ns());
    return times;
  };
  const auto one = launches(1);
  CHECK(one.size() >= 2);
  for (const unsigned threads : {2u, 5u}) CHECK(launches(threads) == one);
}

}  // namespace cudalabs::test
