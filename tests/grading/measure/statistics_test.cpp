#include "grader/grading/measure/statistics.h"

#include <numeric>

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

}  // namespace

TEST_CASE("the median stands in the middle, whatever the order") {
  CHECK(median_interval({3, 1, 2}).median == 2);
  CHECK(median_interval({4, 1, 3, 2}).median == 2.5);
  CHECK(median_interval({}).count == 0);
  CHECK(median_interval({}).relative_width() == 1);
}

TEST_CASE("few values: the interval is all of them") {
  const MedianInterval five = median_interval(one_to(5));
  CHECK(five.low == 1);
  CHECK(five.high == 5);
}

TEST_CASE("the interval's ranks") {
  // From tables of the sign test: for 95 % the 8th value from both ends of 25, and the 40th of 100.
  const MedianInterval some = median_interval(one_to(25));
  CHECK(some.low == 7);  // the normal approximation, rounded to the wider side
  CHECK(some.high == 19);
  const MedianInterval many = median_interval(one_to(100));
  CHECK(many.low == 40);
  CHECK(many.high == 61);
  CHECK(many.relative_width() == Approx(21 / 50.5));
}

TEST_CASE("an outlier moves neither the median nor the interval") {
  std::vector<double> values(50, 10.0);
  values[7] = 1e9;
  const MedianInterval interval = median_interval(values);
  CHECK(interval.median == 10);
  CHECK(interval.relative_width() == 0);
}

TEST_CASE("times taken at a low clock are left out") {
  const std::vector<Sample> samples{{10, 1980}, {20, 1200}, {11, 1930}, {12, 1900}};
  CHECK(top_clock(samples) == 1980);
  CHECK(at_full_clock(samples, 1980) == std::vector<double>{10, 11});
}

TEST_CASE("without a clock every time counts") {
  const std::vector<Sample> samples{{10, 0}, {20, 0}};
  CHECK(at_full_clock(samples, top_clock(samples)) == std::vector<double>{10, 20});
}

TEST_CASE("the peak rate of a card's memory") {
  CHECK(peak_bytes_per_ns(3'201'000, 6144) == Approx(4916.7).epsilon(0.001));  // H200
}

}  // namespace cudalabs
