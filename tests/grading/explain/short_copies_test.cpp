#include "grader/grading/explain/short_copies.h"

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

/// The values of a polynomial: inputs x and c, output y.
Lab polynomial() {
  Lab lab;
  lab.parameters = {{"x", ParameterRole::Input, ElementType::Float32, {"n"}},
                    {"c", ParameterRole::Input, ElementType::Float32, {"terms"}},
                    {"y", ParameterRole::Output, ElementType::Float32, {"n"}},
                    {"n", ParameterRole::Size, ElementType::Int32, {}},
                    {"terms", ParameterRole::Size, ElementType::Int32, {}}};
  return lab;
}

std::string told(std::vector<CopyRecord> copies, std::int64_t terms = 64) {
  TestCase test;
  test.sizes = {{"n", 1000}, {"terms", terms}};
  CallOutcome outcome;
  outcome.copies = std::move(copies);
  return short_copy(polynomial(), test, outcome).reason.english();
}

constexpr std::uint32_t kNone = CopyRecord::kNone;

}  // namespace

TEST_CASE("a count of elements where bytes are asked for is told", "[short_copies]") {
  CHECK(told({{"coef", 64, 1, kNone, 0, false}}) ==
        "only 64 of the 256 bytes of `c` were copied to `coef`, as many as it has elements");
  CHECK(told({{"coef", 5, 1, kNone, 0, false}}, 5) ==
        "only 5 of the 20 bytes of `c` were copied to `coef`, as many as it has elements");
  CHECK(told({{"", 1000, 0, kNone, 0, false}}) ==
        "only 1,000 of the 4,000 bytes of `x` were copied, as many as it has elements");
  CHECK(told({{"", 1000, kNone, 2, 0, true}}) ==
        "only 1,000 of the 4,000 bytes of `y` were set, as many as it has elements");
  CHECK(told({{"", 2, kNone, 2, 0, true}}) == "only 2 of the 4,000 bytes of `y` were set");
  CHECK(told({{"coef", 64, kNone, kNone, 0, false}}) ==
        "64 bytes were copied to `coef`, as many as `c` has elements");
  CHECK(told({{"coef", 252, 1, kNone, 0, false}}) ==
        "only 252 of the 256 bytes of `c` were copied to `coef`");
}

TEST_CASE("copies of the whole, of one element, and piece by piece are as meant", "[short_copies]") {
  CHECK(told({}).empty());
  CHECK(told({{"coef", 256, 1, kNone, 0, false}}).empty());
  CHECK(told({{"coef", 256, kNone, kNone, 0, false}}).empty());
  CHECK(told({{"coef", 4, kNone, kNone, 0, false}}, 4).empty());  // the number of terms, an int
  CHECK(told({{"", 4, 1, kNone, 0, false}}, 4).empty());          // the first coefficient
  CHECK(told({{"", 2000, 0, kNone, 0, false}}).empty());
  CHECK(told({{"coef", 128, 1, kNone, 0, false}, {"coef", 128, 1, kNone, 128, false}}).empty());
  CHECK(told({{"", 4, kNone, 2, 0, true}}).empty());
}

}  // namespace cudalabs
