#include "grader/sim/checkers/race/race_clock.h"

#include "tests/harness/catch.h"

namespace cudalabs::sim {

TEST_CASE("a clock knows of each block what it has seen, by warps, by atomics or all together", "[clock]") {
  RaceClock clock;
  CHECK(clock.empty());
  CHECK_FALSE(clock.knows(0, 0, 1));
  clock.see(70, 3, 10);
  clock.see(70, RaceClock::kAtomics + 4, 20);
  clock.see(71, RaceClock::kAll, 5);
  CHECK(clock.knows(70, 3, 10));
  CHECK_FALSE(clock.knows(70, 3, 11));
  CHECK_FALSE(clock.knows(70, 4, 1));
  CHECK(clock.knows_atomic(70, 4, 20));
  CHECK_FALSE(clock.knows_atomic(70, 3, 11));
  CHECK(clock.knows(71, 31, 5));
  CHECK(clock.knows_atomic(71, 0, 5));
  CHECK_FALSE(clock.knows(6, 3, 1));  // an interval that nobody has synchronized with
  clock.see(70, 3, 7);
  CHECK(clock.knows(70, 3, 10));  // earlier knowledge stays
}

TEST_CASE("clocks that join know what either knew, and their copies do not", "[clock]") {
  RaceClock one, other;
  one.see(0, 1, 5);
  one.see(1, 2, 5);
  one.see(200, 0, 9);
  other.see(0, 1, 8);
  other.see(1, 1, 3);
  const RaceClock before = one;
  one.join(other);
  CHECK(one.knows(0, 1, 8));
  CHECK(one.knows(1, 2, 5));
  CHECK(one.knows(1, 1, 3));
  CHECK(one.knows(200, 0, 9));
  CHECK(before.knows(0, 1, 5));
  CHECK_FALSE(before.knows(0, 1, 6));
  CHECK_FALSE(before.knows(1, 1, 1));
  CHECK_FALSE(other.knows(1, 2, 1));
  other.join(one);
  CHECK(other.knows(200, 0, 9));
  one.see(1, 2, 6);
  CHECK_FALSE(other.knows(1, 2, 6));
  RaceClock empty;
  empty.join(one);
  empty.join(RaceClock{});
  CHECK(empty.knows(1, 2, 6));
}

}  // namespace cudalabs::sim
