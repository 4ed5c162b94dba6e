#include "grader/base/log/stats.h"

#include <thread>

#include "tests/harness/catch.h"

using namespace cudalabs;
using logging::Metric;
using logging::Timed;
using std::chrono::milliseconds;

TEST_CASE("steps are counted and timed once somebody asks") {
  { const Timed unasked(Metric::Score); }
  CHECK(logging::metric_rows().empty());
  CHECK(logging::take_stats().empty());

  logging::start_stats();
  { const Timed timed(Metric::Score); }
  {
    const Timed timed(Metric::LoadLab);
    std::this_thread::sleep_for(milliseconds(20));
  }
  { const Timed timed(Metric::Score); }
  const auto rows = logging::metric_rows();
  REQUIRE(rows.size() == 2);  // in the table's order, without those that did not run
  CHECK(rows[0].words == "read the lab");
  CHECK(rows[0].count == 1);
  CHECK(rows[0].total >= milliseconds(20));
  CHECK(rows[1].words == "score");
  CHECK(rows[1].count == 2);

  // What a worker counts is added to what is there.
  const std::string taken = logging::take_stats();
  CHECK(logging::metric_rows().empty());
  logging::add_stats(taken);
  logging::add_stats(taken);
  const auto twice = logging::metric_rows();
  REQUIRE(twice.size() == 2);
  CHECK(twice[0].count == 2);
  CHECK(twice[0].total == 2 * rows[0].total);
  CHECK(twice[1].count == 4);
  (void)logging::take_stats();
  for (const char* damaged : {"", ";", "1", "1 2", "999 1 1;", "-1 1 1;", "1 x 1;", "1 1 -5;", "1 1 1 1;"}) {
    INFO(damaged);
    logging::add_stats(damaged);
    CHECK(logging::metric_rows().empty());
  }
}
