// Rows of a table: matching texts, the contents of their holes, and bounded time for any text.

#include "grader/diagnostics/phrase.h"

#include <chrono>

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

std::size_t one_few_many(std::string_view number) { return number == "1" ? 0 : number == "2" ? 1 : 2; }

/// The translation, or "-" if the text does not match the row.
std::string said(std::string_view english, std::string_view other, std::string_view text) {
  auto phrase = Phrase::make(english, other, 3);
  REQUIRE(phrase.ok());
  const auto holes = phrase->match(text);
  if (!holes) return "-";
  return phrase->filled(*holes, one_few_many,
                        [](std::string_view inner) { return "<" + std::string(inner) + ">"; });
}

}  // namespace

TEST_CASE("a row fits a text as a whole, and its holes are copied in the order of the translation") {
  CHECK(said("read of {} at {}", "{2}: чтение {1}", "read of 4 bytes at 0x10") == "0x10: чтение 4 bytes");
  CHECK(said("read of {} at {}", "{}, {}", "read of 4 bytes at 0x10") == "4 bytes, 0x10");
  CHECK(said("read of {} at {}", "{1}", "a read of 4 bytes at 0x10") == "-");
  CHECK(said("all {} now", "{1}", "all right now!") == "-");
  CHECK(said("all {} now", "{1}", "all  now") == "-");  // a hole must not be empty
  CHECK(said("plain", "просто", "plain") == "просто");
  CHECK(said("plain", "просто", "plainer") == "-");
}

TEST_CASE("numbers are told from words, and choose the form") {
  const std::string_view english = "{n} case{s} of {}", other = "{1} {1|тест|теста|тестов}, {2}";
  CHECK(said(english, other, "1 case of x") == "1 тест, x");
  CHECK(said(english, other, "2 cases of x") == "2 теста, x");
  CHECK(said(english, other, "1,015,808 cases of x") == "1,015,808 тестов, x");
  CHECK(said(english, other, "many cases of x") == "-");
  CHECK(said("{} takes {n}.", "{2}", "it takes 12.5.") == "12.5");
  CHECK(said("{}{n} rows", "-", "a12 rows") == "-");  // only valid as a format
}

TEST_CASE("a hole that is translated may hold several statements, a copied one is one") {
  CHECK(said("first: {*}", "первый: {1}", "first: a; b") == "первый: <a; b>");
  CHECK(said("{} is {}", "{1} = {2}", "out[0] is 5; 3 rows are wrong") == "-");
  CHECK(said("it printed: {!}", "печать: {1}", "it printed: a; b. C\nd") == "печать: a; b. C\nd");
  CHECK(said("{}; {}", "{2}; {1}", "a; b") == "b; a");
}

TEST_CASE("a row with a hole that there is not is refused") {
  for (const char* other : {"{2}", "{0}", "{12}", "{1|a|b}", "{x}", "{1", "{1|a|b|c|d}"}) {
    CAPTURE(other);
    CHECK_FALSE(Phrase::make("one {} hole", other, 3).ok());
  }
  CHECK(Phrase::make("one {} hole", "дыра", 3).ok());  // the translation may omit a hole
}

TEST_CASE("what a submission writes into a text cannot make a row slow") {
  const auto phrase = Phrase::make("{*}: {*}: {*}: {*}: {*}: {n} and {*} end", "{1}", 3);
  REQUIRE(phrase.ok());
  std::string hostile;
  while (hostile.size() < 60'000) hostile += ": 1 and ";
  const auto begin = std::chrono::steady_clock::now();
  CHECK_FALSE(phrase->match(hostile));
  CHECK_FALSE(phrase->match(hostile + " end of it"));
  CHECK(phrase->match("a: b: c: d: e: " + hostile + ": 1 and the end"));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
}

}  // namespace cudalabs
