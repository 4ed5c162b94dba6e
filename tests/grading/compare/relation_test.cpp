// A factor, a difference, indices: only where each element agrees.

#include "grader/grading/compare/relation.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

/// Elements of which none is accepted.
std::vector<ValuePair> pairs_of(const std::vector<double>& expected, const auto& got) {
  std::vector<ValuePair> pairs;
  for (std::size_t i = 0; i < expected.size(); ++i)
    pairs.push_back({i, got(expected[i], i), expected[i], false});
  return pairs;
}

const std::vector<double> kExpected{0.25, -3, 17.5, 1e-3, 0, 99, -0.125, 4, 8};

std::string said(const std::vector<ValuePair>& pairs, double slack = 1e-5) {
  return relation_of(pairs, slack).english();
}

}  // namespace

TEST_CASE("a difference that all elements have", "[relation]") {
  const auto off = [](double by) {
    return [by](double x, std::size_t) { return static_cast<double>(static_cast<float>(x + by)); };
  };
  CHECK(said(pairs_of(kExpected, off(1))) == "every value is 1 too large");
  CHECK(said(pairs_of(kExpected, off(-32))) == "every value is 32 too small");
  CHECK(said(pairs_of(kExpected, off(0.3))) == "every value is 0.3 too large");
  auto pairs = pairs_of(kExpected, off(1));
  pairs[3].got = 3;
  CHECK(said(pairs).empty());
  pairs[3] = {3, kExpected[3], kExpected[3], true};  // one element is right
  CHECK(said(pairs).empty());
  CHECK(said(pairs_of(kExpected, off(1e-6))).empty());  // rounding
  CHECK(said(pairs_of({7, -2, 1e9}, [](double x, std::size_t) { return x + 1; }), 0) ==
        "every value is 1 too large");  // integers
}

TEST_CASE("a factor goes before a difference", "[relation]") {
  const auto times = [](double factor) { return [factor](double x, std::size_t) { return x * factor; }; };
  auto doubled = pairs_of(kExpected, times(2));
  doubled[4].accepted = true;  // 0
  CHECK(said(doubled) == "every value is 2 times the expected one");
  auto negative = pairs_of(kExpected, times(-1));
  negative[4].accepted = true;
  CHECK(said(negative) == "every value has the wrong sign");
  CHECK(said(pairs_of({2, 2, 2}, times(2))) == "every value is 2 times the expected one");
}

TEST_CASE("indices instead of values", "[relation]") {
  const auto index = [](double, std::size_t i) { return static_cast<double>(i); };
  CHECK(said(pairs_of(kExpected, index)) ==
        "every element holds its own index: the index is stored, not what was computed");
  CHECK(said(pairs_of({5, 3, 9}, index)).empty());  // too few
}

}  // namespace cudalabs
