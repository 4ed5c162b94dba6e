// The rows of an interface's texts: what their holes hold, forms by numbers, mistakes.

#include "grader/diagnostics/interface_texts.h"

#include "grader/diagnostics/embedded_tables.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

InterfaceTexts texts_of(const std::string& po) {
  auto texts = InterfaceTexts::read(po, "ru", "ru.po");
  REQUIRE(texts.ok());
  return std::move(*texts);
}

std::string problem_of(const std::string& po) {
  const auto texts = InterfaceTexts::read(po, "ru", "ru.po");
  return texts.ok() ? "none" : texts.problem().text();
}

}  // namespace

TEST_CASE("every table reads") {
  for (const EmbeddedTable& embedded : embedded_tables()) {
    const auto texts =
        InterfaceTexts::read(embedded.po, std::string(embedded.language), std::string(embedded.file));
    if (!texts.ok()) FAIL(texts.problem().text());
    CHECK(texts->formats().size() > 200);
  }
}

TEST_CASE("a row is found by its whole format, and its holes are copied") {
  const InterfaceTexts texts = texts_of(
      "msgid \"{} is {}\"\nmsgstr \"{2} = {1}\"\n"
      "msgid \"{} rows\"\nmsgstr \"{1} {1, plural, one {строка} few {строки} many {строк} other {строки}}\"\n"
      "msgid \"Do \\\"it\\\".\"\nmsgstr \"Сделайте \\\"это\\\".\"\n"
      "msgid \"a long one \"\n\"in two\"\nmsgstr \"длинный \"\n\"из двух\"\n");
  CHECK(texts.find("{} is {}", {"x", "{1}"}) == "{1} = x");
  CHECK(texts.find("{} is {}", {"\xff", "\x1b[2J"}) == "\x1b[2J = \xff");
  CHECK(texts.find("{} rows", {"21"}) == "21 строка");
  CHECK(texts.find("{} rows", {"22"}) == "22 строки");
  CHECK(texts.find("{} rows", {"1,011"}) == "1,011 строк");
  CHECK(texts.find("{} rows", {"1.5"}) == "1.5 строки");
  CHECK(texts.find("{} rows", {"many"}) == "many строк");
  CHECK(texts.find("Do \"it\".", {}) == "Сделайте \"это\".");
  CHECK(texts.find("a long one in two", {}) == "длинный из двух");
  // No other text, and no other number of holes.
  CHECK_FALSE(texts.find("{} is {} now", {"a", "b"}));
  CHECK_FALSE(texts.find("x is y", {}));
  CHECK_FALSE(texts.find("{} is {}", {"a"}));
  CHECK_FALSE(texts.find("", {}));
}

TEST_CASE("a table with a mistake is told with its line") {
  CHECK(problem_of("msgid \"a\"\nmsgstr \"б\"\n\nmsgid \"a\"\nmsgstr \"в\"\n") ==
        "ru.po:4: duplicate message 'a'\n  hint: remove one of the two rows");
  CHECK(problem_of("msgid \"a {}\"\nmsgstr \"б {2}\"\n") ==
        "ru.po:1: message 'a {}': there is no argument '2'");
  CHECK(problem_of("msgid \"a {}\"\nmsgstr \"б {1, plural, one {x}}\"\n") ==
        "ru.po:1: message 'a {}': a choice has no form 'other'");
  CHECK(problem_of("msgid \"a\"\nmsgstr \"\"\n") == "ru.po:2: no translation of 'a'");
  CHECK(problem_of("msgid \"a\nmsgstr \"b\"\n") == "ru.po:1: neither msgid nor msgstr nor a string");
  CHECK(problem_of("\"a\"\n") == "ru.po:1: neither msgid nor msgstr nor a string");
  CHECK(problem_of("# words\n\nmsgid \"\"\nmsgstr \"\"\n\"Language: ru\\n\"\n") == "none");
}

}  // namespace cudalabs
