// Outputs of other types than float, and those whose elements have no fixed place.

#include "grader/grading/compare/arrangement.h"

#include "tests/grading/compare/support.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

/// A lab with the outputs `out`, of n elements, and `count`, of one.
struct Counted : SmallLab {
  Counted(std::int64_t n, const std::vector<double>& expected, std::int64_t count)
      : SmallLab(ElementType::Int32, {{"n", n}}, expected) {
    lab.parameters.push_back(parameter("count", ParameterRole::Output, ElementType::Int32));
    lab.parameters[0].length = "count";
    Expected answer;
    answer.integers.push_back(count);
    data.expected.push_back(std::move(answer));
    data.initial_outputs.emplace_back(4);
  }
};

using Ints = std::vector<std::int32_t>;

}  // namespace

TEST_CASE("elements without a fixed place are found wherever they stand") {
  const auto source = [](const std::vector<Run>& runs, const Ints& got, const Ints& right) {
    return arranged(
        runs, [&](std::size_t i) { return got[i]; }, [&](std::size_t i) { return right[i]; },
        [&](int value, std::size_t i) { return value == right[i]; });
  };
  using Places = std::vector<std::size_t>;
  CHECK(source({{0, 3}}, {7, 5, 6}, {5, 6, 7}) == Places{1, 2, 0});
  CHECK(source({{0, 2}, {2, 4}}, {2, 1, 4, 3}, {1, 2, 3, 4}) == Places{1, 0, 3, 2});
  // 9 stands where 6 is missing.
  CHECK(source({{0, 3}}, {7, 9, 5}, {5, 6, 7}) == Places{2, 1, 0});
  CHECK(source({}, {}, {}).empty());
}

TEST_CASE("only so many elements count as another output says") {
  const Counted lab(6, {3, 1, 2, 0, 0, 0}, 3);
  CHECK(lab.sentence(Ints{3, 1, 2, 77, 78, 79}) == "accepted");
  CHECK(lab.sentence(Ints{3, 5, 2, 0, 0, 0}) ==
        "out[1] is 5, expected 1; 1 of 3 elements is wrong: element 1");
  CHECK(lab.sentence(Ints{1, 3, 2, 0, 0, 0}) != "accepted");
  CHECK(Counted(3, {0, 0, 0}, 0).sentence(Ints{1, 2, 3}) == "accepted");
  CHECK(free_bytes(lab.lab, lab.test, lab.data) == 3 * sizeof(std::int32_t));
}

TEST_CASE("the elements of a set may stand anywhere, each as often as it is expected") {
  Counted lab(6, {3, 1, 1, 2, 0, 0}, 4);
  lab.lab.parameters[0].order = Order::Any;
  CHECK(lab.sentence(Ints{1, 2, 3, 1, 5, 5}) == "accepted");
  CHECK(
      lab.sentence(Ints{1, 2, 3, 3, 5, 5}) ==
      "out[3] is 3, which is not in the answer or is there once too often: 1 is missing; 1 of 4 elements is "
      "wrong");
  const Ints poison = lab.poison<std::int32_t>();
  CHECK(lab.sentence(Ints{1, 2, poison[2], 1, 5, 5}).find("out[2] still holds the poison") == 0);
}

TEST_CASE("elements of equal keys may change places, others may not") {
  SmallLab lab(ElementType::Int32, {{"n", 5}}, {4, 0, 2, 1, 3});
  lab.lab.parameters.push_back(parameter("keys", ParameterRole::Input, ElementType::Float32, {"n"}));
  lab.lab.parameters[0].order = Order::SortedBy;
  lab.lab.parameters[0].keys = "keys";
  const std::vector<float> keys{0.5F, 1, 0.5F, 2, 0.25F};
  const auto bytes = std::as_bytes(std::span(keys));
  lab.data.inputs.emplace_back(bytes.begin(), bytes.end());
  CHECK(lab.sentence(Ints{4, 0, 2, 1, 3}) == "accepted");
  CHECK(lab.sentence(Ints{4, 2, 0, 1, 3}) == "accepted");
  CHECK(lab.sentence(Ints{4, 2, 0, 3, 1}).find("is missing among the elements of equal keys") !=
        std::string::npos);
  CHECK(lab.sentence(Ints{4, 2, 2, 1, 3}) != "accepted");
}

TEST_CASE("an error may be bounded absolutely, or as a part of the value") {
  SmallLab near(ElementType::Float32, {{"n", 2}}, {100, 0}, ToleranceKind::Absolute, 0.5);
  CHECK(near.sentence(std::vector{100.5F, -0.5F}) == "accepted");
  CHECK(near.sentence(std::vector{100.6F, 0.0F}) != "accepted");
  CHECK(near.sentence(std::vector{std::nanf(""), 0.0F}) != "accepted");
  SmallLab part(ElementType::Float32, {{"n", 2}}, {100, 0}, ToleranceKind::Relative, 0.01);
  CHECK(part.sentence(std::vector{101.0F, 0.0F}) == "accepted");
  CHECK(part.sentence(std::vector{101.1F, 0.0F}) != "accepted");
  CHECK(part.sentence(std::vector{100.0F, 1e-30F}) != "accepted");
  SmallLab grey(ElementType::UInt8, {{"n", 2}}, {200, 0}, ToleranceKind::Absolute, 1);
  grey.data.expected[0].integers = {200, 0};
  using Bytes = std::vector<std::uint8_t>;
  CHECK(grey.sentence(Bytes{199, 1}) == "accepted");
  CHECK(grey.sentence(Bytes{202, 0}).find("out[0] is 202, expected 200") == 0);
}

TEST_CASE("an output may have a tolerance of its own") {
  SmallLab lab(ElementType::Float32, {{"n", 1}}, {100}, ToleranceKind::Exact);
  CHECK(lab.sentence(std::vector{100.5F}) != "accepted");
  lab.lab.parameters[0].tolerance = Tolerance{ToleranceKind::Absolute, 1};
  CHECK(lab.sentence(std::vector{100.5F}) == "accepted");
}

TEST_CASE("vectors are compared number by number, and named so") {
  SmallLab lab(ElementType::Float32, {{"n", 2}}, {});
  lab.lab.parameters[0].components = 4;
  lab.data.expected[0].values.assign({0, 1, 2, 3, 4, 5, 6, 7});
  lab.data.initial_outputs[0].resize(32);
  std::vector<float> got{0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(lab.sentence(got) == "accepted");
  got[6] = 9;
  CHECK(lab.sentence(got).find("out[1].z is 9, expected 6") == 0);
}

TEST_CASE("half-precision numbers are rounded and counted in their own ulps") {
  SmallLab lab(ElementType::Half, {{"n", 2}}, {}, ToleranceKind::Ulps, 1);
  lab.data.expected[0].values.assign({1.0002, -3});
  const auto halves = [](double a, double b) { return std::vector{HalfFloat(a), HalfFloat(b)}; };
  CHECK(lab.sentence(halves(1, -3)) == "accepted");
  CHECK(lab.sentence(halves(1 + 0x1p-10, -3)) == "accepted");
  CHECK(lab.sentence(halves(1 + 0x1p-9, -3)).find("out[0] is 1.0019531, expected 1 (2 ulps apart)") == 0);
  CHECK(lab.sentence(halves(NAN, -3)) != "accepted");
}

TEST_CASE("an array in place says what was not changed") {
  SmallLab lab(ElementType::Float32, {{"n", 4}}, {10, 11, 3, 13});
  lab.lab.parameters[0].role = ParameterRole::InOut;
  const std::vector<float> before{0, 1, 3, 4};
  std::memcpy(lab.data.initial_outputs[0].data(), before.data(), 16);
  CHECK(lab.sentence(before) ==
        "out was not changed: 3 wrong elements still hold what they held before the call");
  CHECK(lab.compare(before)->stored() == false);
  CHECK(lab.sentence(std::vector<float>{10, 11, 3, 4})
            .find("out[3] is still 4, as before the call: expected 13") == 0);
  CHECK(lab.sentence(std::vector<float>{10, 11, 3, 13}) == "accepted");
  CHECK(free_bytes(lab.lab, lab.test, lab.data) == 4);
}

TEST_CASE("what the oracle judges must at least be written") {
  SmallLab lab(ElementType::Int32, {{"n", 3}}, {}, ToleranceKind::Checked);
  lab.data.expected[0] = {};
  Ints got = lab.poison<std::int32_t>();
  CHECK(lab.sentence(got).find("out was never written") == 0);
  got[0] = got[1] = 5;
  CHECK(lab.sentence(got).find("out[2] still holds the poison") == 0);
  got[2] = 5;
  CHECK(lab.sentence(got) == "accepted");
}
