#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <string>

#include "grader/grading/cases/random.h"
#include "tests/grading/compare/support.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

/// 0.5, 1.25, 2, ...: all different, none zero, exact in float.
std::vector<double> ramp(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = 0.5 + 0.75 * static_cast<double>(i);
  return values;
}

std::vector<float> floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

/// The output, with the elements that `is_wrong` selects replaced by values without a pattern.
std::vector<float> spoilt(const std::vector<double>& expected,
                          const std::function<bool(std::size_t)>& is_wrong) {
  auto got = floats(expected);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (is_wrong(i)) got[i] = -1000.0f - static_cast<float>(i * i % 17);
  }
  return got;
}

}  // namespace

TEST_CASE("the right answer is accepted, and only that") {
  const SmallLab lab(ElementType::Float32, {{"rows", 4}}, {1, 2, 3, 0});
  CHECK(lab.sentence<float>({1, 2, 3, 0}) == "accepted");
  CHECK(lab.sentence<float>({1, 2, 3, -0.0f}) == "accepted");
  CHECK(lab.sentence<float>({1, 2, std::nextafter(3.0f, 4.0f), 0}) ==
        "out[2] is 3.0000002, expected 3 (the next representable number); 1 of 4 rows is wrong: row 2");
}

TEST_CASE("sums beyond the last number of half precision are told") {
  SmallLab lab(ElementType::Float32, {{"rows", 3}}, {1, 2, 3}, ToleranceKind::SumOfProducts, 1);
  lab.data.expected[0].magnitudes = {1e5, 1e5, 1e5};
  lab.data.expected[0].roundings = {10, 10, 10};
  CHECK(lab.sentence<float>({1, infinity, 3}) ==
        "out[1] is infinity, expected 2; 1 of 3 rows is wrong: row 1; overflow of __half, whose largest "
        "number is 65504: is a sum or a product kept in __half somewhere?");
  lab.data.expected[0].magnitudes = {1e4, 1e4, 1e4};
  CHECK(lab.sentence<float>({1, infinity, 3}) ==
        "out[1] is infinity, expected 2; 1 of 3 rows is wrong: row 1");
}

TEST_CASE("NaN and infinity never pass") {
  for (const auto kind : {ToleranceKind::Exact, ToleranceKind::SumOfProducts, ToleranceKind::Ulps}) {
    SmallLab lab(ElementType::Float32, {{"rows", 3}}, {1, 2, 3}, kind, 1e6);
    lab.data.expected[0].magnitudes = {1e30, 1e30, 1e30};
    lab.data.expected[0].roundings = {1000, 1000, 1000};
    CHECK(lab.sentence<float>({not_a_number, not_a_number, not_a_number}) ==
          "out[0] is NaN, expected 1; 3 of 3 rows are wrong; all wrong values are NaN");
    CHECK(lab.sentence<float>({1, infinity, 3}) ==
          "out[1] is infinity, expected 2; 1 of 3 rows is wrong: row 1");
    CHECK(lab.sentence<float>({1, 2, -infinity}) ==
          "out[2] is -infinity, expected 3; 1 of 3 rows is wrong: the last row");
  }
}

TEST_CASE("on data that no order rounds, no bound excuses a difference") {
  for (const auto kind : {ToleranceKind::Exact, ToleranceKind::SumOfProducts, ToleranceKind::Ulps}) {
    SmallLab lab(ElementType::Float32, {{"rows", 3}}, {1, 16777215, 0}, kind, 1e6);
    lab.data.expected[0].magnitudes = {1e30, 1e30, 1e30};
    lab.data.expected[0].roundings = {1000, 1000, 1000};
    lab.test.distribution = Distribution::ExactSums;
    CHECK(lab.sentence<float>({1, 16777215, -0.0f}) == "accepted");
    CHECK(lab.sentence<float>({1, 16777214, 0})
              .starts_with("out[1] is 16777214, expected 16777215 (the next representable number); 1 of 3 "
                           "rows is wrong"));
    CHECK(lab.sentence<float>({1, 16777215, not_a_number}).starts_with("out[2] is NaN, expected 0"));
  }
}

TEST_CASE("elements that were never written are named") {
  const SmallLab lab(ElementType::Float32, {{"rows", 1000}}, ramp(1000));
  CHECK(lab.sentence(lab.poison<float>()) ==
        "out was never written: all 1000 rows still hold the poison put there before the call");

  auto part = floats(ramp(1000));
  for (std::size_t i = 992; i < 1000; ++i) part[i] = lab.poison<float>()[i];
  // Copies bytes, because a float copy may make a signalling NaN quiet.
  std::memcpy(part.data() + 992, lab.data.initial_outputs[0].data() + 992 * 4, 32);
  const auto mismatch = lab.compare(part);
  REQUIRE(mismatch);
  CHECK(mismatch->statements.english() ==
        "out[992] still holds the poison: it was never written (expected 744.5); 8 of 1000 rows are wrong, "
        "never "
        "written: the last 8 rows (992..999)");
  CHECK(mismatch->never_written == 8);
  CHECK(mismatch->index == std::vector<std::int64_t>{992});
  CHECK(mismatch->pattern.english() == "the last 8 rows (992..999)");

  std::memcpy(part.data() + 5, lab.data.initial_outputs[0].data() + 20, 4);
  part[0] = 0;
  CHECK(lab.sentence(part) ==
        "out[0] is 0, expected 0.5; 10 of 1000 rows are wrong, 9 of them "
        "never written");

  const SmallLab one(ElementType::Int32, {}, {42});
  CHECK(one.sentence(one.poison<std::int32_t>()) == "out was never written");
  CHECK(one.sentence<std::int32_t>({41}) == "out is 41, expected 42");
}

TEST_CASE("poison cannot be imitated by a fill, and is of several kinds") {
  std::set<std::string> kinds;
  for (std::uint64_t key = 1; key <= 40; ++key) {
    std::vector<std::byte> bytes(4000), other(4000);
    fill_poison(bytes, ElementType::Float32, key);
    fill_poison(other, ElementType::Float32, key + 1000);
    CHECK(bytes != other);
    std::set<std::uint32_t> distinct;
    std::set<std::string> here;
    for (std::size_t i = 0; i < 1000; ++i) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes.data() + 4 * i, 4);
      distinct.insert(word);
      const float value = std::bit_cast<float>(word);
      // signalling NaNs, or numbers that no lab produces
      here.insert(std::isnan(value) ? (word & 0x7fc00000u) == 0x7f800000u ? "signalling" : "quiet"
                  : value > 1e37f   ? "large"
                  : value < -1e37f  ? "negative"
                                    : "small");
    }
    CHECK(distinct.size() > 990);
    CHECK(here.size() == 1);
    kinds.merge(here);
  }
  CHECK(kinds == std::set<std::string>{"signalling", "large", "negative"});
}

TEST_CASE("a value that happens to be the poison is fine where it is right") {
  SmallLab lab(ElementType::Int32, {{"n", 1}}, {0});
  lab.data.expected[0].integers[0] = lab.poison<std::int32_t>()[0];
  CHECK(lab.sentence(lab.poison<std::int32_t>()) == "accepted");
}

TEST_CASE("the pattern of wrong rows is found") {
  const auto expected = ramp(1000);
  const SmallLab lab(ElementType::Float32, {{"rows", 1000}}, expected);
  const auto pattern = [&](const std::function<bool(std::size_t)>& is_wrong) {
    const auto mismatch = lab.compare(spoilt(expected, is_wrong));
    REQUIRE(mismatch);
    return mismatch->pattern.english();
  };
  CHECK(pattern([](std::size_t) { return true; }) == "all of them");
  CHECK(pattern([](std::size_t i) { return i % 33 == 32; }) == "every 33rd row");
  CHECK(pattern([](std::size_t i) { return i % 32 == 0; }) == "every 32nd row, starting with row 0");
  CHECK(pattern([](std::size_t i) { return i % 2 == 1; }) == "every 2nd row");
  CHECK(pattern([](std::size_t i) { return i % 10 == 0 && i > 100 && i < 500; }) ==
        "every 10th row from 110 to 490");
  CHECK(pattern([](std::size_t i) { return i >= 992; }) == "the last 8 rows (992..999)");
  CHECK(pattern([](std::size_t i) { return i < 32; }) == "the first 32 rows (0..31)");
  CHECK(pattern([](std::size_t i) { return i >= 64 && i < 96; }) == "rows 64..95");
  CHECK(pattern([](std::size_t i) { return i == 999; }) == "the last row");
  CHECK(pattern([](std::size_t i) { return i == 0; }) == "the first row");
  CHECK(pattern([](std::size_t i) { return i == 17; }) == "row 17");
  CHECK(pattern([](std::size_t i) { return i >= 32; }) == "the last 968 rows (32..999)");
  CHECK(pattern([](std::size_t i) { return i % 32 >= 24; }) == "rows 24..31 of every 32");
  CHECK(pattern([](std::size_t i) { return i % 256 < 3; }) == "rows 0..2 of every 256");
  CHECK(pattern([](std::size_t i) { return i % 5 != 4; }) == "all but every 5th row");
  CHECK(pattern([](std::size_t i) { return i < 10 || i > 20; }) == "all but rows 10..20");
  CHECK(pattern([](std::size_t i) { return i == 3 || i == 17 || i == 900; }) == "rows 3, 17 and 900");
  // One element too many or too few gives another pattern, or none.
  CHECK(pattern([](std::size_t i) { return i % 33 == 32 || i == 7; }).empty());
  CHECK(pattern([](std::size_t i) { return i % 33 == 32 && i != 65; }) != "every 33rd row");
  CHECK(pattern([](std::size_t i) { return i >= 992 && i != 995; }) == "some of the rows 992..999");
}

TEST_CASE("the pattern in a matrix is found") {
  constexpr std::size_t n = 100;
  const auto expected = ramp(n * n);
  const SmallLab lab(ElementType::Float32, {{"rows", n}, {"cols", n}}, expected);
  const auto pattern = [&](const std::function<bool(std::size_t, std::size_t)>& is_wrong) {
    const auto mismatch =
        lab.compare(spoilt(expected, [&](std::size_t i) { return is_wrong(i / n, i % n); }));
    REQUIRE(mismatch);
    return mismatch->pattern.english();
  };
  CHECK(pattern([](auto, auto c) { return c >= 92; }) == "the last 8 columns (92..99)");
  CHECK(pattern([](auto r, auto) { return r % 32 == 31; }) == "every 32nd row");
  CHECK(pattern([](auto r, auto c) { return r >= 96 && c >= 96; }) ==
        "the last 4 columns (96..99) of the last 4 rows (96..99)");
  CHECK(pattern([](auto r, auto c) { return r >= 96 || c >= 96; }) ==
        "the last 4 rows (96..99) and the last 4 columns (96..99)");
  CHECK(pattern([](auto r, auto c) { return r == c; }) == "the diagonal");
  CHECK(pattern([](auto r, auto c) { return r != c; }) == "all but the diagonal");
  CHECK(pattern([](auto r, auto c) { return r > c; }) == "everything below the diagonal");
  CHECK(pattern([](auto r, auto c) { return r < c; }) == "everything above the diagonal");
  CHECK(pattern([](auto r, auto c) { return r == c && r != 5; }).empty());
}

TEST_CASE("one factor of all elements is known, whatever number it is") {
  const auto expected = ramp(100);
  const SmallLab lab(ElementType::Float32, {{"rows", 100}}, expected);
  auto scaled = floats(expected);
  for (float& x : scaled) x *= 0.103f;
  const auto mismatch = lab.compare(scaled);
  REQUIRE(mismatch);
  CHECK(std::abs(mismatch->factor - 0.103) < 1e-6);
  CHECK(mismatch->factor_error < 1e-5);
  scaled[50] *= 1.001f;
  CHECK(lab.compare(scaled)->factor == 0);
  scaled[50] = NAN;
  CHECK(lab.compare(scaled)->factor == 0);
}

TEST_CASE("what the values show is said, if it is certain") {
  const auto expected = ramp(100);
  const SmallLab lab(ElementType::Float32, {{"rows", 100}}, expected);
  const auto diagnosis = [&](std::vector<float> got) {
    const auto mismatch = lab.compare(got);
    REQUIRE(mismatch);
    return mismatch->guess.english();
  };
  auto right = floats(expected);
  CHECK(diagnosis(std::vector<float>(100, 0.0f)) == "the whole output is zero");
  CHECK(lab.sentence(std::vector<float>(100, 0.0f)) ==
        "out[0] is 0, expected 0.5; 100 of 100 rows are wrong; the whole "
        "output is zero");
  CHECK(diagnosis(std::vector<float>(100, 5.0f)) == "every element is 5");

  auto shifted = right;
  std::rotate(shifted.begin(), shifted.end() - 1, shifted.end());
  CHECK(diagnosis(shifted) == "each row holds the value of the row before it");
  shifted = right;
  std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());
  CHECK(diagnosis(shifted) == "each row holds the value of the row after it");
  CHECK(diagnosis({right.rbegin(), right.rend()}) == "the rows are in reverse order");

  auto scaled = right;
  for (float& x : scaled) x *= 2;
  CHECK(diagnosis(scaled) == "every value is 2 times the expected one");
  for (float& x : scaled) x /= -2;
  CHECK(diagnosis(scaled) == "every value has the wrong sign");
  for (float& x : scaled) x /= -1000;
  CHECK(diagnosis(scaled) == "every value is the expected one divided by 1000");
  scaled[50] = 77;
  CHECK(diagnosis(scaled).empty());

  const SmallLab square(ElementType::Float32, {{"n", 10}, {"m", 10}}, expected);
  auto transposed = right;
  for (std::size_t i = 0; i < 100; ++i) transposed[i] = right[i % 10 * 10 + i / 10];
  CHECK(square.compare(transposed)->guess.english() ==
        "rows and columns are swapped: this is the transpose of the expected output");
  // A wrong constant answer says nothing about a fill.
  const SmallLab constant(ElementType::Float32, {{"rows", 3}}, {4, 4, 4});
  CHECK(constant.compare<float>({5, 5, 5})->guess.empty());
}

TEST_CASE("an output that is added to but never set is told") {
  const SmallLab lab(ElementType::Float32, {{"rows", 2}}, {1, 2});
  auto got = lab.poison<float>();
  for (std::size_t key = 7; key < 60; ++key) {  // each kind of poison
    SmallLab other = lab;
    fill_poison(other.data.initial_outputs[0], ElementType::Float32, key);
    got = other.poison<float>();
    for (float& x : got) x = std::isnan(x) ? x + 1 : x * 1.0001f;
    CHECK(other.compare(got)->guess.english() == "kernels add to it, but nothing sets it to zero first");
  }
  CHECK(lab.compare<float>({1, not_a_number})->guess.english() == "all wrong values are NaN");

  const SmallLab one(ElementType::Int32, {}, {42});
  const std::int32_t before = one.poison<std::int32_t>()[0];
  const std::int32_t after = before + 42;
  CHECK(one.sentence<std::int32_t>({after}) ==
        "out is " + std::to_string(after) +
            ", expected 42; kernels add to it, but nothing sets it to zero first");
}

TEST_CASE("a start value that is left is told") {
  SmallLab lab(ElementType::Float32, {{"rows", 5}}, {1, 2, 3000, 4000, 5000});
  CHECK(lab.sentence<float>({1, 2, 1000, 1000, 1000}) ==
        "out[2] is 1000, expected 3000; 3 of 5 rows are wrong: the last 3 "
        "rows (2..4); all wrong values are 1000, which is no element of the input: is it an initial value "
        "that was never replaced?");
  CHECK(lab.compare<float>({1, 2, 1000, 1000, 1001})->guess.empty());
}

TEST_CASE("integers are compared exactly, also beyond 2^53") {
  SmallLab lab(ElementType::Int64, {{"n", 2}}, {0, 0});
  const std::int64_t big = (std::int64_t{1} << 53) + 1;
  lab.data.expected[0].integers = {big, -5};
  CHECK(lab.sentence<std::int64_t>({big, -5}) == "accepted");
  CHECK(lab.sentence<std::int64_t>({big - 1, -5}) ==
        "out[0] is 9007199254740992, expected 9007199254740993; 1 of 2 elements is wrong: the first element");
}

TEST_CASE("a tolerance in ulps is counted at the expected value") {
  const SmallLab lab(ElementType::Float32, {{"n", 1}}, {1.0}, ToleranceKind::Ulps, 2);
  float x = 1.0f;
  for (int k = 0; k < 2; ++k) x = std::nextafter(x, 2.0f);
  CHECK(lab.sentence<float>({x}) == "accepted");
  CHECK(lab.sentence<float>({std::nextafter(x, 2.0f)}) == "out[0] is 1.0000004, expected 1 (3 ulps apart)");
}

namespace {

float to_half(float x) {  // rounds to 11 significant bits, like an accumulator in half precision
  int exponent = 0;
  const float mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, 11)), exponent - 11);
}

float pairwise(const std::vector<float>& x, std::size_t begin, std::size_t end) {
  if (end - begin == 1) return x[begin];
  const std::size_t middle = begin + (end - begin) / 2;
  return pairwise(x, begin, middle) + pairwise(x, middle, end);
}

}  // namespace

TEST_CASE("a sum passes in any order of float addition, and not in half precision") {
  const auto [n, seed] = GENERATE(
      table<std::size_t, std::uint64_t>({{33, 1}, {33, 2}, {1000, 3}, {1000, 4}, {4096, 5}, {4096, 6}}));
  {
    const Random random(seed);
    const bool positive = seed % 2 == 0;
    std::vector<float> products(n);
    double exact = 0, magnitude = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto x = static_cast<float>(positive ? random.unit(2 * i) : 2 * random.unit(2 * i) - 1);
      const auto y = static_cast<float>(random.unit(2 * i + 1));
      products[i] = x * y;
      exact += static_cast<double>(x) * y;
      magnitude += std::abs(static_cast<double>(x) * y);
    }
    SmallLab lab(ElementType::Float32, {}, {exact}, ToleranceKind::SumOfProducts);
    lab.data.expected[0].magnitudes = {magnitude};
    lab.data.expected[0].roundings = {static_cast<double>(n)};

    const auto in_order = [](const std::vector<float>& x) {
      return std::accumulate(x.begin(), x.end(), 0.0f);
    };
    auto shuffled = products;
    CHECK(lab.sentence<float>({in_order(shuffled)}) == "accepted");
    std::sort(shuffled.begin(), shuffled.end());
    CHECK(lab.sentence<float>({in_order(shuffled)}) == "accepted");
    std::reverse(shuffled.begin(), shuffled.end());
    CHECK(lab.sentence<float>({in_order(shuffled)}) == "accepted");
    CHECK(lab.sentence<float>({pairwise(products, 0, n)}) == "accepted");
    CHECK(lab.sentence<float>({static_cast<float>(exact)}) == "accepted");

    float half = 0;
    for (const float x : products) half = to_half(half + to_half(x));
    // With both signs a long sum in half precision can stay within the bound of a float sum by luck. Such a
    // lab needs a case with short sums or with a distribution of one sign, which exclude that.
    if (positive || n < 100) CHECK(lab.sentence<float>({half}) != "accepted");
    // A missing product is not a rounding error either.
    const float largest = *std::max_element(products.begin(), products.end());
    CHECK(lab.sentence<float>({static_cast<float>(exact - largest)}) != "accepted");
    CHECK(lab.sentence<float>({0}) != "accepted");
  }
}

TEST_CASE("factors that were rounded to half are recognised, and a term left out is not taken for that") {
  const std::string rounded = "multiplied as half or tf32 on tensor cores?";
  for (const double n : {1.0, 100.0, 512.0, 513.0}) {
    SmallLab lab(ElementType::Float32, {{"rows", 8}}, std::vector<double>(8, 50.0),
                 ToleranceKind::SumOfProducts);
    lab.data.expected[0].magnitudes.assign(8, 100.0);
    lab.data.expected[0].roundings.assign(8, n);
    const auto off_by = [&](double share, double next) {
      std::vector<float> values;
      for (int i = 0; i < 8; ++i)
        values.push_back(static_cast<float>(50 + (i % 2 == 0 ? share : next) * 100));
      return lab.sentence(values);
    };
    const double error = 0x1.8p-11;
    CHECK((off_by(error, -error).find(rounded) != std::string::npos) == (n <= 512));       // rounded
    CHECK((off_by(-error, -error / 2).find(rounded) != std::string::npos) == (n <= 512));  // truncated
    CHECK(off_by(error, error / 2).find(rounded) == std::string::npos);                    // drifts
    CHECK(off_by(1 / n, -1 / n).find(rounded) == std::string::npos);
  }
}

TEST_CASE("even a chain of 2^30 additions does not excuse a zero") {
  SmallLab lab(ElementType::Float32, {}, {100.0}, ToleranceKind::SumOfProducts);
  lab.data.expected[0].magnitudes = {100.0};
  lab.data.expected[0].roundings = {0x1p30};
  CHECK(lab.sentence<float>({0}) != "accepted");
  CHECK(lab.sentence<float>({not_a_number}) != "accepted");
}

TEST_CASE("no elements, no mismatch") {
  const SmallLab lab(ElementType::Float32, {{"rows", 0}}, {});
  CHECK(lab.sentence(std::vector<float>{}) == "accepted");
  CHECK_FALSE(has_output_elements(lab.lab, lab.test));
}

TEST_CASE("rows and columns of a transposed output are its own") {
  const SmallLab lab(ElementType::Float32, {{"cols", 3}, {"rows", 4}}, ramp(12));
  const auto got = spoilt(ramp(12), [](std::size_t i) { return i >= 8; });
  CHECK(lab.sentence(got).find("are wrong: the last row") != std::string::npos);
}

TEST_CASE("rows that are right and lie elsewhere are told") {
  const SmallLab lab(ElementType::Float32, {{"m", 4}, {"n", 5}}, ramp(20));
  std::vector<float> got = floats(ramp(20));
  std::rotate(got.begin() + 5, got.begin() + 10, got.end());
  CHECK(lab.sentence(got).ends_with("; rows are in the wrong order: row 1 holds the values of row 2"));
  got[19] = 0;
  CHECK(lab.sentence(got).find("rows are in the wrong order") == std::string::npos);
}
