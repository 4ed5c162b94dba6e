#include "grader/grading/measure/judged_call.h"

#include <vector>

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

LaunchRecord launch(const char* kernel, std::uint32_t blocks) {
  LaunchRecord record;
  record.kernel = record.kernel_full = kernel;
  record.grid = {blocks, 1, 1};
  record.block = {256, 1, 1};
  record.dynamic_shared_bytes = 1024;
  record.code = 5;
  record.arguments = 9;
  return record;
}

struct Calls {
  std::vector<LaunchRecord> judged{launch("first(int)", 40), launch("second(int)", 1)}, timed = judged;
  bool saw_data = false;

  std::string difference() const {
    const auto found = first_difference({judged, saw_data, 108}, {timed, saw_data, 132});
    if (!found) return "";
    CHECK_FALSE(found->advice.empty());
    return found->what.english();
  }
};

}  // namespace

TEST_CASE("the same call has no difference", "[judged_call]") {
  CHECK(Calls{}.difference().empty());
  // Only the simulator has counters, and compilers for GPUs drop unused shared arrays.
  Calls calls;
  calls.judged[0].counters.warp_instructions = 1000;
  calls.judged[0].static_shared_bytes = 4096;
  CHECK(calls.difference().empty());
}

TEST_CASE("the first difference of a timed call is told", "[judged_call]") {
  Calls calls;
  SECTION("another kernel") {
    calls.timed[1] = launch("other(int)", 1);
    CHECK(calls.difference() ==
          "launch 2 of the call timed on the card runs the kernel other(int), but the judged one runs "
          "second(int)");
  }
  SECTION("another kernel of the same name") {
    calls.timed[0].code = 6;
    CHECK(calls.difference() ==
          "launch 1 of the call timed on the card of first(int) runs other code than the judged one");
  }
  SECTION("another block") {
    calls.timed[0].block = {32, 8, 1};
    CHECK(calls.difference() ==
          "launch 1 of the call timed on the card of first(int) has blocks of (32, 8, 1) threads, but the "
          "judged one has (256, 1, 1)");
  }
  SECTION("other dynamic shared memory") {
    calls.timed[0].dynamic_shared_bytes = 0;
    CHECK(calls.difference() ==
          "launch 1 of the call timed on the card of first(int) requests 0 bytes of dynamic shared memory, "
          "but the judged one requests 1024");
  }
  SECTION("another grid") {
    calls.timed[0].grid = {20, 1, 1};
    CHECK(calls.difference() ==
          "launch 1 of the call timed on the card of first(int) has a grid of (20, 1, 1) blocks, but the "
          "judged one has (40, 1, 1)");
  }
  SECTION("a launch less") {
    calls.timed.pop_back();
    CHECK(calls.difference() == "the call timed on the card makes 1 launches, but the judged one 2");
  }
  SECTION("a launch more") {
    calls.timed.push_back(launch("third(int)", 1));
    CHECK(calls.difference() == "the call timed on the card makes 3 launches, but the judged one 2");
  }
  SECTION("another argument") {
    calls.timed[1].arguments = 8;
    CHECK(calls.difference() ==
          "launch 2 of the call timed on the card of second(int) has other arguments than the judged one");
  }
  SECTION("of a single launch") {
    calls.judged.pop_back();
    calls.timed = {launch("other(int)", 1)};
    CHECK(calls.difference() ==
          "the launch timed on the card runs the kernel other(int), but the judged one runs first(int)");
  }
}

TEST_CASE("a grid may follow the number of multiprocessors, and arguments the grid", "[judged_call]") {
  Calls calls;
  calls.judged[0].grid = {108 * 8, 1, 1};
  calls.timed[0].grid = {132 * 8, 1, 1};
  calls.timed[1].arguments = 8;  // the number of partial results
  CHECK(calls.difference().empty());
  calls.timed[0].grid = {1000, 1, 1};  // there was no work for more
  CHECK(calls.difference().empty());
  calls.timed[0].block = {128, 1, 1};
  CHECK_FALSE(calls.difference().empty());
  calls.timed[0].block = calls.judged[0].block;
  calls.judged[0].grid = {1001, 1, 1};
  CHECK_FALSE(calls.difference().empty());
}

TEST_CASE("a shape may be what the program asked each device for", "[judged_call]") {
  Calls calls;
  calls.timed[0].block = {768, 1, 1};
  calls.timed[0].grid = {14, 1, 1};
  calls.timed[0].dynamic_shared_bytes = 3072;
  calls.timed[1].arguments = 8;
  calls.timed[0].occupancy_asked = true;
  CHECK_FALSE(calls.difference().empty());
  calls.judged[0].occupancy_asked = true;
  CHECK(calls.difference().empty());
  calls.saw_data = true;
  CHECK(calls.difference().empty());
  calls.timed[0].code = 6;
  CHECK_FALSE(calls.difference().empty());
}

TEST_CASE("data that the host saw may decide how often, not what", "[judged_call]") {
  Calls calls;
  calls.saw_data = true;
  calls.timed = {launch("second(int)", 3), launch("first(int)", 7), launch("second(int)", 1)};
  calls.timed[0].arguments = 1;
  CHECK(calls.difference().empty());
  calls.timed.push_back(launch("other(int)", 1));
  CHECK(calls.difference() ==
        "launch 4 of the call timed on the card of other(int) in blocks of (256, 1, 1) is not among the "
        "launches of the judged call");
  calls.timed.back() = launch("first(int)", 7);
  calls.timed.back().code = 6;
  CHECK_FALSE(calls.difference().empty());
}

}  // namespace cudalabs
