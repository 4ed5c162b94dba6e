#include "grader/sim/checkers/stream/stream_shadow.h"

#include "tests/harness/catch.h"

using namespace cudalabs::sim;

namespace {

/// The n-th operation of a lane, ordered after the operations in the clock.
StreamOperation operation(std::uint32_t lane, std::uint32_t number, std::vector<std::uint32_t> clock) {
  StreamOperation made;
  made.lane = lane;
  made.number = number;
  made.clock = std::move(clock);
  made.clock.resize(4);
  made.clock[lane] = number;
  return made;
}

}  // namespace

TEST_CASE("operations race over the bytes that both touch", "[streamcheck]") {
  StreamShadow shadow;
  shadow.begin(operation(1, 1, {}));
  shadow.touch(100, 200, kStreamWrite);
  CHECK(shadow.take_races().empty());
  shadow.begin(operation(2, 1, {}));
  shadow.touch(0, 100, kStreamWrite);
  shadow.touch(200, 300, kStreamRead);
  CHECK(shadow.take_races().empty());
  shadow.touch(50, 110, kStreamRead);
  shadow.touch(120, 121, kStreamRead);
  const auto races = shadow.take_races();
  REQUIRE(races.size() == 1);
  CHECK(races[0].earlier->told.lane == 1);
  CHECK(races[0].earlier_writes);
  CHECK_FALSE(races[0].writes);
  CHECK(races[0].begin == 100);
  CHECK(races[0].end == 121);
}

TEST_CASE("readers race with who writes behind them, and atomics with all but atomics", "[streamcheck]") {
  const auto raced = [](std::uint8_t first, std::uint8_t second) {
    StreamShadow shadow;
    shadow.begin(operation(1, 1, {}));
    shadow.touch(0, 4, first);
    shadow.begin(operation(2, 1, {}));
    shadow.touch(0, 4, second);
    return shadow.take_races().size();
  };
  CHECK(raced(kStreamRead, kStreamRead) == 0);
  CHECK(raced(kStreamRead, kStreamWrite) == 1);
  CHECK(raced(kStreamRead, kStreamAtomic) == 1);
  CHECK(raced(kStreamWrite, kStreamRead) == 1);
  CHECK(raced(kStreamWrite, kStreamWrite) == 1);
  CHECK(raced(kStreamWrite, kStreamAtomic) == 1);
  CHECK(raced(kStreamAtomic, kStreamRead) == 1);
  CHECK(raced(kStreamAtomic, kStreamWrite) == 1);
  CHECK(raced(kStreamAtomic, kStreamAtomic) == 0);
  CHECK(raced(kStreamAtomic, kStreamAtomic | kStreamRead) == 1);
}

TEST_CASE("who comes behind an operation does not race with it", "[streamcheck]") {
  StreamShadow shadow;
  shadow.begin(operation(1, 1, {}));
  shadow.touch(0, 8, kStreamWrite);
  shadow.begin(operation(2, 1, {0, 1}));
  shadow.touch(0, 8, kStreamRead);
  shadow.begin(operation(3, 1, {0, 1}));
  shadow.touch(0, 8, kStreamRead);
  CHECK(shadow.take_races().empty());
  // Ordered after only one of the two readers.
  shadow.begin(operation(1, 2, {0, 0, 1}));
  shadow.touch(0, 8, kStreamWrite);
  const auto races = shadow.take_races();
  REQUIRE(races.size() == 1);
  CHECK(races[0].earlier->told.lane == 3);
}

TEST_CASE("what follows from a race that was told is not told again", "[streamcheck]") {
  StreamShadow shadow;
  shadow.begin(operation(1, 1, {}));
  shadow.touch(0, 8, kStreamWrite);
  shadow.begin(operation(1, 2, {}));
  shadow.touch(8, 16, kStreamWrite);
  shadow.begin(operation(2, 1, {}));
  shadow.touch(0, 16, kStreamRead);
  // An event after the second is also after the first.
  const auto races = shadow.take_races();
  REQUIRE(races.size() == 1);
  CHECK(races[0].earlier->told.number == 2);
  shadow.begin(operation(2, 2, {}));
  shadow.touch(0, 16, kStreamRead);
  CHECK(shadow.take_races().empty());
  shadow.begin(operation(3, 1, {0, 0, 2}));
  shadow.touch(0, 8, kStreamWrite);
  CHECK(shadow.take_races().empty());
  shadow.begin(operation(3, 2, {0, 0, 2}));
  shadow.touch(8, 16, kStreamWrite);
  CHECK(shadow.take_races().empty());
}

TEST_CASE("what the host does between two calls is one", "[streamcheck]") {
  StreamShadow shadow;
  for (std::uint64_t byte = 0; byte < 3; ++byte) {
    shadow.begin(operation(0, 5, {}));
    shadow.touch(byte, byte + 1, kStreamRead);
  }
  shadow.begin(operation(1, 1, {4}));
  shadow.touch(0, 8, kStreamWrite);
  const auto races = shadow.take_races();
  REQUIRE(races.size() == 1);
  CHECK(races[0].begin == 0);
  CHECK(races[0].end == 3);
}

TEST_CASE("memory that is gone has no history", "[streamcheck]") {
  StreamShadow shadow;
  shadow.begin(operation(1, 1, {}));
  shadow.touch(0, 64, kStreamWrite);
  shadow.forget(16, 32);
  shadow.begin(operation(2, 1, {}));
  shadow.touch(16, 32, kStreamWrite);
  CHECK(shadow.take_races().empty());
  CHECK(shadow.use(0, 16) == StreamUse::Writes);
  CHECK(shadow.use(16, 32) == StreamUse::Nobody);
  CHECK(shadow.use(31, 33) == StreamUse::Writes);
  shadow.touch(15, 33, kStreamRead);
  CHECK(shadow.take_races().size() == 1);
}

TEST_CASE("readers that may still read are told", "[streamcheck]") {
  StreamShadow shadow;
  shadow.begin(operation(1, 1, {}));
  shadow.touch(0, 8, kStreamRead);
  shadow.begin(operation(0, 1, {}));
  CHECK(shadow.use(0, 4096) == StreamUse::Reads);
  CHECK(shadow.use(8, 4096) == StreamUse::Nobody);
  shadow.begin(operation(0, 2, {0, 1}));
  CHECK(shadow.use(0, 4096) == StreamUse::Nobody);
}
