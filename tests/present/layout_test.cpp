// Text for a terminal: no text of a submission can move the cursor, and no line is wider than the terminal.

#include "grader/present/layout.h"

#include <nlohmann/json.hpp>

#include "tests/harness/catch.h"

namespace cudalabs {

TEST_CASE("text from a submission is made safe to print") {
  CHECK(printable("plain text\nsecond line") == "plain text\nsecond line");
  CHECK(printable("naïve – ✓") == "naïve – ✓");
  CHECK(printable("\033[31mred\033[0m") == "?[31mred?[0m");
  CHECK(printable("a\tb") == "a   b");
  CHECK(printable("over\rwrite") == "overwrite");
  CHECK(printable(std::string("nul\0!", 5)) == "nul?!");
  CHECK(printable("\xff\xfe") == "??");
  CHECK(printable("\xc0\xaf") == "??");                           // overlong
  CHECK(printable("\xed\xa0\x80") == "???");                      // surrogate
  CHECK(printable("cut \xe2\x80") == "cut ??");                   // ends inside a character
  CHECK(printable("left \xe2\x80\xae right") == "left ? right");  // right-to-left override
  CHECK(printable("\xc2\x9b"
                  "31m") == "?31m");  // CSI as one C1 character
}

TEST_CASE("a document shows what its strings hold, and holds the same") {
  const std::string hostile =
      "a\xe2\x80\xae"
      "b\xe2\x81\xa6\xe2\x80\x8b\x7f\xc2\x9b\xd8\x9c\xef\xbb\xbf\xe2\x80\xa9";
  const std::string harmless = "naïve – ✓ \xf0\x9f\x99\x82 \\\" \n\x01";
  const nlohmann::json document = {{hostile, {hostile, harmless}}};
  const std::string text = document.dump(2), shown = steady_json(text);
  CHECK(printable(text) != text);
  CHECK(printable(shown) == shown);
  CHECK(shown.find(R"("a\u202eb\u2066\u200b\u007f\u009b\u061c\ufeff\u2029")") != std::string::npos);
  CHECK(nlohmann::json::parse(shown) == document);
  CHECK(steady_json(nlohmann::json(harmless).dump()) == nlohmann::json(harmless).dump());
  CHECK(steady_json("\xff\xe2\x80") == "\xff\xe2\x80");
}

TEST_CASE("wrapping keeps lines and never loses a word") {
  using Lines = std::vector<std::string>;
  CHECK(wrap("", 10) == Lines{""});
  CHECK(wrap("one two three", 7) == Lines{"one two", "three"});
  CHECK(wrap("one\ntwo", 40) == Lines{"one", "two"});
  CHECK(wrap("incomprehensibilities are long", 5) == Lines{"incomprehensibilities", "are", "long"});
  CHECK(wrap("  indented line", 40) == Lines{"  indented line"});
  CHECK(wrap("éé éé éé", 5) == Lines{"éé éé", "éé"});  // widths are characters, not bytes
}

TEST_CASE("columns are characters, and may lie outside") {
  CHECK(columns("a\u00e4bc", 1, 2) == "\u00e4b");
  CHECK(columns("abc", 0, 9) == "abc");
  CHECK(columns("abc", 3, 1).empty());
  CHECK(columns("abc", 9, 1).empty());
}

TEST_CASE("padding counts characters") {
  CHECK(pad_right("é", 3) == "é  ");
  CHECK(pad_left("é", 3) == "  é");
  CHECK(pad_left("long", 2) == "long");
  CHECK(repeat("─", 2) == "──");
}

}  // namespace cudalabs
