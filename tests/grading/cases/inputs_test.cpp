#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "grader/grading/cases/inputs.h"
#include "tests/grading/compare/support.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

struct Matrix {
  Lab lab;
  TestCase test;

  explicit Matrix(ElementType type, std::int64_t rows = 20, std::int64_t cols = 1000) {
    lab.parameters = {parameter("a", ParameterRole::Input, type, {"rows", "cols"}),
                      parameter("rows", ParameterRole::Size, ElementType::Int32),
                      parameter("cols", ParameterRole::Size, ElementType::Int32)};
    if (type == ElementType::Int32) lab.parameters[0].low = -100, lab.parameters[0].high = 100;
    test.sizes = {{"rows", rows}, {"cols", cols}};
  }

  template <class T>
  std::vector<T> make(Distribution distribution, const CaseKey& key = {}) {
    test.distribution = distribution;
    const auto bytes = make_input(lab, test, 0, key);
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
};

}  // namespace

TEST_CASE("a seed always makes the same inputs, and another part of the key makes others") {
  Matrix matrix(ElementType::Float32);
  const auto first = matrix.make<float>(Distribution::Uniform, {.seed = 1});
  CHECK(first == matrix.make<float>(Distribution::Uniform, {.seed = 1}));
  std::set<std::vector<float>> all = {first};
  all.insert(matrix.make<float>(Distribution::Uniform, {.seed = 2}));
  all.insert(matrix.make<float>(Distribution::Uniform, {.seed = 1, .case_index = 1}));
  all.insert(matrix.make<float>(Distribution::Uniform, {.seed = 1, .version_index = 1}));
  all.insert(matrix.make<float>(Distribution::Uniform, {.seed = 1, .repetition = 1}));
  CHECK(all.size() == 5);
  // The first elements for seed 1, equal on every platform.
  CHECK(first[0] == -0x1.3a18f40000000p-2f);
  CHECK(first[1] == 0x1.d8defa0000000p-11f);
}

TEST_CASE("sizes that are left open are the seed's, and the others as they stand") {
  Lab lab;
  TestCase open, fixed;
  open.sizes = {{"rows", 60}, {"cols", 32}};
  open.least = {40, 32};
  fixed.sizes = {{"rows", 60}, {"cols", 32}};
  lab.cases = {fixed, open, open};
  std::set<std::int64_t> rows;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Lab drawn = with_drawn_sizes(lab, seed);
    CHECK(drawn.cases[0].sizes == fixed.sizes);
    CHECK(drawn.cases[1].size("cols") == 32);
    rows.insert(drawn.cases[1].size("rows"));
    CHECK(with_drawn_sizes(lab, seed).cases[1].sizes == drawn.cases[1].sizes);
  }
  CHECK(rows.size() == 21);  // 40 to 60
  CHECK(*rows.begin() == 40);
  CHECK(*rows.rbegin() == 60);
}

TEST_CASE("each distribution is what it is called") {
  Matrix floats(ElementType::Float32), ints(ElementType::Int32);
  const auto in = [](double low, double high) { return [=](auto x) { return x >= low && x <= high; }; };

  const auto uniform = floats.make<float>(Distribution::Uniform);
  CHECK(std::ranges::all_of(uniform, in(-1, 1)));
  CHECK(std::ranges::min(uniform) < -0.99f);
  CHECK(std::ranges::max(uniform) > 0.99f);
  CHECK(std::ranges::all_of(ints.make<int>(Distribution::Uniform), in(-100, 100)));

  CHECK(std::ranges::all_of(floats.make<float>(Distribution::Negative),
                            [](float x) { return x < 0 && x >= -1; }));
  CHECK(std::ranges::all_of(ints.make<int>(Distribution::Negative), in(-100, -1)));

  const auto constant = floats.make<float>(Distribution::Constant);
  CHECK(std::ranges::all_of(constant, [&](float x) { return x == constant[0]; }));

  const auto small = floats.make<float>(Distribution::SmallIntegers);
  CHECK(std::ranges::all_of(small, [](float x) { return x == std::round(x) && std::abs(x) <= 8; }));
  CHECK(std::set<float>(small.begin(), small.end()).size() == 17);

  for (const auto& values : {floats.make<float>(Distribution::Cancellation)}) {
    for (std::size_t r = 0; r < 20; ++r) {
      double sum = 0, magnitude = 0;
      for (std::size_t c = 0; c < 1000; ++c)
        sum += values[r * 1000 + c], magnitude += std::abs(values[r * 1000 + c]);
      CHECK(sum == 0);
      CHECK(magnitude > 400);
    }
  }
  const auto dominant = floats.make<float>(Distribution::Dominant);
  for (std::size_t r = 0; r < 20; ++r) {
    const auto row = std::span(dominant).subspan(r * 1000, 1000);
    CHECK(std::ranges::count_if(row, [](float x) { return std::abs(x) > 1000; }) == 1);
  }
}

TEST_CASE("extremes stand at the edges of partitions") {
  Matrix matrix(ElementType::Float32, 200, 1000);
  const auto values = matrix.make<float>(Distribution::EdgeExtremes);
  std::set<std::ptrdiff_t> places;
  for (std::size_t r = 0; r < 200; ++r) {
    const auto row = std::span(values).subspan(r * 1000, 1000);
    const auto place = std::ranges::max_element(row) - row.begin();
    const auto near = [place](std::ptrdiff_t border) { return std::abs(place - border) <= 1; };
    CHECK((near(place / 32 * 32) || near((place / 32 + 1) * 32) || place == 999));
    CHECK(std::ranges::max(row) > 0.7f);
    places.insert(place);
  }
  CHECK(places.contains(0));
  CHECK(places.contains(999));
  CHECK(places.contains(992));  // the start of the part that does not fill a warp
  CHECK(places.size() > 15);
}

TEST_CASE("outlying lines leave no number to begin with, and no room to be beaten by") {
  Matrix matrix(ElementType::Float32, 64, 1000);
  const auto values = matrix.make<float>(Distribution::Outlying);
  bool far_below = false, far_above = false;
  for (std::size_t r = 0; r < 64; ++r) {
    const auto row = std::span(values).subspan(r * 1000, 1000);
    const float top = std::ranges::max(row), bottom = std::ranges::min(row);
    far_below |= top < -1e30f;
    far_above |= bottom > 1e30f;
    CHECK(std::ranges::count(row, top) == 1);
    CHECK(std::ranges::count(row, bottom) == 1);
    // The second-best element comes before it.
    const auto best = std::ranges::find(row, top);
    if (best != row.begin()) CHECK(top - *std::max_element(row.begin(), best) <= 4 * std::abs(top) / 0x1p22f);
    CHECK(top - bottom <= 16 * std::abs(bottom) / 0x1p22f);
  }
  CHECK(far_below);
  CHECK(far_above);
}

TEST_CASE("a range of numbers is kept") {
  Matrix matrix(ElementType::Float32);
  matrix.lab.parameters[0].low = 0, matrix.lab.parameters[0].high = 100;
  for (const auto distribution : {Distribution::Uniform, Distribution::EdgeExtremes, Distribution::Constant,
                                  Distribution::SmallIntegers}) {
    const auto values = matrix.make<float>(distribution);
    CHECK(std::ranges::all_of(values, [](float x) { return x >= 0 && x <= 100; }));
  }
}

TEST_CASE("every distribution fills every small shape") {
  for (const std::int64_t rows : {0, 1, 2}) {
    for (const std::int64_t cols : {1, 2, 31, 32, 33}) {
      for (const auto distribution :
           {Distribution::Uniform, Distribution::Negative, Distribution::EdgeExtremes, Distribution::Dominant,
            Distribution::Cancellation, Distribution::Constant, Distribution::SmallIntegers,
            Distribution::Outlying}) {
        Matrix matrix(ElementType::Float32, rows, cols);
        const auto values = matrix.make<float>(distribution);
        CHECK(values.size() == static_cast<std::size_t>(rows * cols));
        CHECK(std::ranges::all_of(values, [](float x) { return std::isfinite(x); }));
      }
    }
  }
}

namespace {

/// A lab that sums along "n": rows, columns, or products of two inputs.
struct Adding {
  Lab lab;
  TestCase test;

  Adding(ElementType type, std::vector<std::vector<std::string>> shapes, int factors, std::int64_t m,
         std::int64_t n) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      lab.parameters.push_back(
          parameter(std::string(1, static_cast<char>('a' + i)), ParameterRole::Input, type, shapes[i]));
    }
    lab.parameters.push_back(parameter("m", ParameterRole::Size, ElementType::Int32));
    lab.parameters.push_back(parameter("n", ParameterRole::Size, ElementType::Int32));
    lab.sums = Sums{"n", factors};
    test.sizes = {{"m", m}, {"n", n}};
    test.distribution = Distribution::ExactSums;
  }

  template <class T>
  [[nodiscard]] std::vector<T> input(std::size_t i, std::uint64_t seed = 1) const {
    const auto bytes = make_input(lab, test, i, {.seed = seed});
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
};

/// Drops the bits that tf32 drops from a float, or float from a double.
template <class T>
T lowered(T value, int bits_less) {
  int exponent = 0;
  const T scaled = std::ldexp(std::frexp(value, &exponent), std::numeric_limits<T>::digits - bits_less);
  return std::ldexp(std::nearbyint(scaled), exponent - std::numeric_limits<T>::digits + bits_less);
}

/// Returns whether the sum of `terms` in T is exact and the same in many orders.
template <class T>
void check_any_order(std::vector<T> terms) {
  long double right = 0;
  for (const T term : terms) right += term;
  const auto serial = [&] {
    T sum = 0;
    for (const T term : terms) sum += term;
    return sum;
  };
  CHECK(serial() == right);
  std::ranges::reverse(terms);
  CHECK(serial() == right);
  std::ranges::sort(terms);
  CHECK(serial() == right);
  while (terms.size() > 1) {  // pairwise
    for (std::size_t i = 0; 2 * i < terms.size(); ++i)
      terms[i] = terms[2 * i] + (2 * i + 1 < terms.size() ? terms[2 * i + 1] : T{0});
    terms.resize((terms.size() + 1) / 2);
  }
  CHECK(terms[0] == right);
}

/// Checks that leaving out any of these numbers changes the sum: all have one sign.
template <class T>
void check_that_all_count(const std::vector<T>& values) {
  CHECK(std::ranges::all_of(values, [](T x) { return x > 0 && x <= 1; }));
}

}  // namespace

TEMPLATE_TEST_CASE("exact sums are exact in any order, and everything in them counts", "", float, double) {
  const ElementType type = std::is_same_v<TestType, float> ? ElementType::Float32 : ElementType::Float64;
  const int less = std::is_same_v<TestType, float> ? 13 : 29;  // tf32 and half, float
  for (const std::int64_t n : {1, 2, 3, 31, 1000, 4096, 4097, 70001}) {
    CAPTURE(n);
    SECTION("elements, in rows " + std::to_string(n)) {
      const Adding rows(type, {{"m", "n"}}, 1, 2, n);
      const auto values = rows.input<TestType>(0);
      check_that_all_count(values);
      for (std::ptrdiff_t r = 0; r < 2; ++r) {
        const std::vector<TestType> row(values.begin() + r * n, values.begin() + (r + 1) * n);
        CHECK(std::ranges::adjacent_find(row) == row.end());
        check_any_order(row);
        // All losses have one direction, so they never cancel.
        CHECK(std::ranges::all_of(row, [=](TestType x) { return lowered(x, less) >= x; }));
        CHECK(std::ranges::any_of(row, [=](TestType x) { return lowered(x, less) > x; }));
      }
    }
    SECTION("elements, in columns " + std::to_string(n)) {
      const Adding columns(type, {{"n", "m"}}, 1, 3, n);
      const auto values = columns.input<TestType>(0);
      check_that_all_count(values);
      for (std::size_t c = 0; c < 3; ++c) {
        std::vector<TestType> column;
        for (std::size_t r = 0; r < static_cast<std::size_t>(n); ++r) column.push_back(values[r * 3 + c]);
        CHECK(std::ranges::adjacent_find(column) == column.end());
        check_any_order(column);
        CHECK(std::ranges::any_of(column, [=](TestType x) { return lowered(x, less) > x; }));
      }
    }
    SECTION("squares and products of two rows " + std::to_string(n)) {
      const Adding rows(type, {{"m", "n"}}, 2, 2, n);
      const auto values = rows.input<TestType>(0);
      check_that_all_count(values);
      for (const std::size_t other : {std::size_t{0}, static_cast<std::size_t>(n)}) {
        std::vector<TestType> terms;
        TestType low = 0, right = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
          terms.push_back(values[i] * values[other + i]);
          right += terms.back();
          low += lowered(values[i], less) * lowered(values[other + i], less);
        }
        check_any_order(terms);
        CHECK(low > right);
      }
    }
    SECTION("products of two inputs " + std::to_string(n)) {
      const Adding product(type, {{"m", "n"}, {"n", "m"}}, 2, 2, n);
      const auto a = product.input<TestType>(0), b = product.input<TestType>(1);
      check_that_all_count(a);
      check_that_all_count(b);
      for (std::size_t row = 0; row < 2; ++row) {
        for (std::size_t column = 0; column < 2; ++column) {
          std::vector<TestType> terms;
          TestType low = 0, right = 0;
          for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            const TestType left = a[row * static_cast<std::size_t>(n) + i], other = b[2 * i + column];
            terms.push_back(left * other);
            right += terms.back();
            low += lowered(left, less) * lowered(other, less);
          }
          check_any_order(terms);
          CHECK(low > right);
        }
      }
    }
  }
}

TEST_CASE("sums of a million terms can be exact, too") {
  const Adding vector(ElementType::Float32, {{"n"}}, 1, 1, 1048576);
  check_any_order(vector.input<float>(0));
  const Adding dot(ElementType::Float32, {{"n"}, {"n"}}, 2, 1, 1048576);
  std::vector<float> products = dot.input<float>(0);
  const std::vector<float> others = dot.input<float>(1);
  for (std::size_t i = 0; i < products.size(); ++i) products[i] *= others[i];
  check_any_order(products);
}

TEST_CASE("exact sums keep to a range, and differ from seed to seed") {
  Adding rows(ElementType::Float32, {{"m", "n"}}, 1, 20, 1000);
  CHECK(rows.input<float>(0, 1) != rows.input<float>(0, 2));
  const auto values = rows.input<float>(0);
  CHECK(std::set<float>(values.begin(), values.end()).size() > 1000);
  CHECK(std::ranges::none_of(values, [](float x) { return x == std::round(x); }));  // int cannot hold them
  rows.lab.parameters[0].low = -7, rows.lab.parameters[0].high = 0;
  const auto negative = rows.input<float>(0);
  CHECK(std::ranges::all_of(negative, [](float x) { return x < 0 && x >= -7; }));
  CHECK(std::ranges::min(negative) < -3);
}

TEST_CASE("a changed input is found, bit by bit") {
  Matrix matrix(ElementType::Float32, 4, 6);
  matrix.make<float>(Distribution::Uniform);
  std::vector<float> before(24, 0.25f), after = before;
  const auto changed = [&] {
    const auto message = input_changed(matrix.lab.parameters[0], matrix.test,
                                       std::as_bytes(std::span(before)), std::as_bytes(std::span(after)));
    return message ? message->english() : "";
  };
  CHECK(changed() == "");
  after[23] = 7;
  CHECK(changed() == "input a was changed at [3][5]: it was 0.25 and is 7");
  after[1] = 1;
  CHECK(changed() == "input a was changed at [0][1]: it was 0.25 and is 1 (and 1 more)");
  before[1] = 0.0f, after[1] = -0.0f, after[23] = 0.25f;
  CHECK(changed() == "input a was changed at [0][1]: it was 0 and is -0");
}

TEST_CASE("guards show writes on both sides") {
  const Parameter out = parameter("out", ParameterRole::Output, ElementType::Float32, {"rows"});
  const GuardedLayout layout{.data_bytes = 4000};
  const std::vector<std::byte> data(4000, std::byte{1});
  auto whole = layout.make(data, 99);
  CHECK(whole.size() == 4000 + 2 * 4096);
  CHECK_FALSE(layout.damage(whole, 99, out));
  whole[layout.data_offset() + 5] ^= std::byte{1};  // the data may change
  CHECK_FALSE(layout.damage(whole, 99, out));

  auto behind = whole;
  behind[layout.data_offset() + 4000] ^= std::byte{1};
  CHECK(layout.damage(behind, 99, out)->english() ==
        "write out of bounds: 0 bytes past the end of out (element 1000 of 1000)");
  auto before = whole;
  before[layout.data_offset() - 1] ^= std::byte{1};
  CHECK(layout.damage(before, 99, out)->english() ==
        "write out of bounds: 1 byte before the start of out (element -1 of 1000)");
  CHECK(layout.damage(whole, 98, out));  // another key gives other guards
}
