// Templates of messages: what they may say, and how numbers count in a language.

#include "grader/base/message_template.h"

#include <cmath>
#include <cstdint>

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

constexpr const char* kParameters = "name:text n:integer x:real unit:words why:message";

std::string shown(const std::string& text, std::int64_t n, double x = 0, const std::string& language = "en") {
  static constexpr MessageRow row{"row", RowKind::Error, kParameters, signature_of(kParameters), ""};
  std::string problem;
  const auto read = MessageTemplate::read(text, kParameters, problem);
  if (read == nullptr) return "problem: " + problem;
  const std::vector<Argument> arguments{std::string("tile"), n, x, std::string("row"), Messages()};
  return read->render(row, arguments, counting_rules(language),
                      {[](const Messages& inner) { return inner.english(); },
                       [](const std::string& words) { return "<" + words + ">"; }});
}

}  // namespace

TEST_CASE("arguments stand where their names do") {
  CHECK(shown("{name} and {n} of {x}", 1234, 0.5) == "tile and 1234 of 0.5");
  CHECK(shown("{n, number} {x, factor} {x, points}", 1234567, 0.5) == "1,234,567 0.50 0.5");
  CHECK(shown("{n, bytes}", 1) == "1 byte");
  CHECK(shown("{n, bytes}", 1023) == "1,023 bytes");
  CHECK(shown("{n, bytes}", 4096) == "4.0 KiB");
  CHECK(shown("{x, time}", 0, 18400) == "18.4 us");
  CHECK(shown("{unit}{why}", 0) == "<row>");
  CHECK(shown("a '{' and '}', don't", 0) == "a { and }, don't");
  CHECK(shown("'{name}' and ''{name}''", 0) == "'tile' and 'tile'");
  CHECK(shown("{n, number}", -5) == "-5");
}

TEST_CASE("forms are chosen by the number and by the language") {
  const std::string rows = "{n, plural, =0 {no row} one {# row} other {# rows}}";
  CHECK(shown(rows, 0) == "no row");
  CHECK(shown(rows, 1) == "1 row");
  CHECK(shown(rows, 1000) == "1,000 rows");
  const std::string nth = "{n}{n, selectordinal, one {st} two {nd} few {rd} other {th}}";
  for (const auto& [n, text] : {std::pair(1, "1st"),
                                {2, "2nd"},
                                {3, "3rd"},
                                {4, "4th"},
                                {11, "11th"},
                                {12, "12th"},
                                {13, "13th"},
                                {21, "21st"},
                                {102, "102nd"},
                                {111, "111th"}})
    CHECK(shown(nth, n) == text);
  const std::string russian = "{n, plural, one {строка} few {строки} many {строк} other {строки}}";
  for (const auto& [n, text] : {std::pair(1, "строка"),
                                {2, "строки"},
                                {5, "строк"},
                                {11, "строк"},
                                {12, "строк"},
                                {21, "строка"},
                                {104, "строки"},
                                {111, "строк"},
                                {0, "строк"}})
    CHECK(shown(russian, n, 0, "ru") == text);
  CHECK(shown("{x, plural, one {балл} few {балла} many {баллов} other {балла}}", 0, 1.5, "ru") == "балла");
  CHECK(shown("{unit, select, row {строки} other {элементы}}", 0) == "строки");
  CHECK(shown("{why, select, none {no reason} other {{why}}}", 0) == "no reason");
}

TEST_CASE("numbers that no honest program has are shown without harm") {
  for (const double x : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300, -1e300}) {
    for (const char* const text :
         {"{x}", "{x, number}", "{x, factor}", "{x, bytes}", "{x, time}", "{x, points}",
          "{x, plural, one {#} other {#s}}", "{x, selectordinal, other {#}}"}) {
      const std::string out = shown(text, 0, x);
      CHECK_FALSE(out.empty());
      CHECK(out.size() < 400);
    }
  }
  CHECK(shown("{n, number}", INT64_MIN) == "-9,223,372,036,854,775,808");
}

TEST_CASE("a mistake in a template is told") {
  CHECK(shown("{nobody}", 0) == "problem: there is no argument 'nobody'");
  CHECK(shown("{n", 0) == "problem: a { without its }");
  CHECK(shown("n}", 0) == "problem: a } without its {");
  CHECK(shown("{n, pages}", 0) == "problem: there is no style 'pages'");
  CHECK(shown("{name, number}", 0) == "problem: 'name' is not a number");
  CHECK(shown("{name, plural, other {x}}", 0) == "problem: 'name' is not a number");
  CHECK(shown("{n, plural, one {x}}", 0) == "problem: a choice has no form 'other'");
  CHECK(shown("{n, many, other {x}}", 0) == "problem: there is no choice 'many'");
  CHECK(shown("{n, plural, other {x}", 0) == "problem: a { without its }");
  CHECK(shown("'{ and", 0) == "problem: a { without its }");
}

}  // namespace cudalabs
