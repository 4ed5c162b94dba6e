#include "grader/grading/explain/sum_trouble.h"

#include <vector>

#include "tests/grading/compare/support.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

/// Returns whether a program that adds the sums of four and of `terms` elements to the previous call's
/// results left `got`.
bool kept(const std::vector<float>& before, const std::vector<float>& got, double terms = 4) {
  SmallLab lab(ElementType::Float32, {{"rows", 2}}, {10, 20}, ToleranceKind::SumOfProducts, 1);
  lab.data.expected[0].magnitudes = {10, 20};
  lab.data.expected[0].roundings = {4, terms};
  const auto bytes = [](const std::vector<float>& values) {
    const auto all = std::as_bytes(std::span(values));
    return CaseOutputs{{all.begin(), all.end()}};
  };
  return added_to_the_last(lab.lab, lab.test, lab.data, bytes(before), bytes(got));
}

}  // namespace

TEST_CASE("a sum that is kept from call to call is what is expected and what was left", "[sum_trouble]") {
  CHECK(kept({1, 2}, {11, 22}));
  CHECK_FALSE(kept({1, 2}, {11, 21}));
  CHECK_FALSE(kept({0, 0}, {10, 20}));
}

TEST_CASE("what is so large that anything fits beside it, or zero, was not kept", "[sum_trouble]") {
  CHECK_FALSE(kept({-400000, -400000}, {-400000, -400000}, 1e6));
  CHECK_FALSE(kept({-10, -20}, {0, -0.0f}));
}

}  // namespace cudalabs
