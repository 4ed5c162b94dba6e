#include "grader/base/parse_number.h"

#include <cstdint>

#include "tests/harness/catch.h"

using namespace cudalabs;

TEST_CASE("a number is the whole text") {
  CHECK(parse_number<int>("42") == 42);
  CHECK(parse_number<int>("-7") == -7);
  CHECK(parse_number<double>("2.5e3") == 2500);
  CHECK(parse_number<std::uint64_t>("18446744073709551615") == ~std::uint64_t{0});
  for (const char* text : {"", " 1", "1 ", "+1", "0x10", "1.5", "one", "-", "99999999999"})
    CHECK_FALSE(parse_number<int>(text));
  CHECK_FALSE(parse_number<unsigned>("-1"));
  CHECK_FALSE(parse_number<std::uint64_t>("18446744073709551616"));
}

TEST_CASE("digits of another base have no prefix") {
  CHECK(parse_number<std::uint64_t>("fF", 16) == 255U);
  CHECK(parse_number<int>("101", 2) == 5);
  for (const char* text : {"", "0xff", "fg", "10000000000000000"})
    CHECK_FALSE(parse_number<std::uint64_t>(text, 16));
}

TEST_CASE("a leading number is taken from the text, and only a number") {
  std::string_view text = "17-23";
  CHECK(take_leading_number<int>(text) == 17);
  CHECK(text == "-23");
  CHECK(take_leading_number<int>(text) == -23);
  CHECK(text.empty());
  CHECK_FALSE(take_leading_number<int>(text));
  for (const std::string_view other : {" 1", "+1", "x1", "99999999999 1"}) {
    text = other;
    CHECK_FALSE(take_leading_number<int>(text));
    CHECK(text == other);
  }
}
