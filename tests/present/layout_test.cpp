// Text for a terminal: no line is wider than the terminal.

#include "grader/present/layout.h"

#include "tests/harness/catch.h"

namespace cudalabs {

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
