#include "grader/sim/ptx/parse/lexer.h"

#include <string>
#include <vector>

#include "tests/harness/catch.h"

using namespace cudalabs::ptx;

namespace {

std::vector<Token> all(std::string_view text) {
  Lexer lexer(text);
  std::vector<Token> tokens;
  for (Token token = lexer.next(); token.kind != TokenKind::End; token = lexer.next())
    tokens.push_back(token);
  return tokens;
}

}  // namespace

TEST_CASE("tokens carry their line and column") {
  const auto tokens = all("add.s32 %r1,\n  /* two\nlines */ [$L_x+4]; // end\n\"a\\\"b\"");
  REQUIRE(tokens.size() == 11);
  CHECK(tokens[0].kind == TokenKind::Identifier);
  CHECK(tokens[1].kind == TokenKind::Dotted);
  CHECK(tokens[1].text == "s32");
  CHECK(tokens[1].column == 4);
  CHECK(tokens[2].text == "%r1");
  CHECK(tokens[4].is("["));
  CHECK(tokens[4].line == 3);
  CHECK(tokens[4].column == 10);
  CHECK(tokens[5].text == "$L_x");
  CHECK(tokens[10].kind == TokenKind::String);
  CHECK(tokens[10].text == "a\\\"b");
  CHECK(tokens[10].line == 4);
}

TEST_CASE("qualified words, guards and operators are told apart") {
  const auto tokens = all(".L2::128B.shared::cta L: @!%p1 1<<2 %v.x");
  std::vector<std::string> texts;
  for (const Token& token : tokens) texts.emplace_back(token.text);
  CHECK(texts == std::vector<std::string>{"L2::128B", "shared::cta", "L", ":", "@", "!", "%p1", "1", "<<",
                                          "2", "%v", "x"});
}

TEST_CASE("what is no PTX is a bad token and reading goes on") {
  CHECK(all("\x01 a")[0].kind == TokenKind::Bad);
  CHECK(all("\x01 a")[1].text == "a");
  CHECK(all("\"open\nnext")[0].kind == TokenKind::Bad);
  CHECK(all("/* open").size() == 1);
  CHECK(all("\"\\").size() == 1);
  CHECK(all(std::string_view("\0", 1))[0].kind == TokenKind::Bad);
}

TEST_CASE("numbers of every base, floats as their bits") {
  CHECK(parse_number("42").bits == 42);
  CHECK(parse_number("42U").bits == 42);
  CHECK(parse_number("0x1F").bits == 31);
  CHECK(parse_number("017").bits == 15);
  CHECK(parse_number("0b101").bits == 5);
  CHECK(parse_number("0").valid);
  CHECK(parse_number("18446744073709551615").bits == ~0ULL);
  CHECK_FALSE(parse_number("18446744073709551616").valid);
  CHECK_FALSE(parse_number("08").valid);
  CHECK_FALSE(parse_number("0x").valid);
  CHECK_FALSE(parse_number("12ab").valid);
  CHECK_FALSE(parse_number("").valid);

  const NumberValue single = parse_number("0f3F800000");
  CHECK(single.is_float);
  CHECK_FALSE(single.is_f64);
  CHECK(single.bits == 0x3F800000);
  const NumberValue twice = parse_number("0d3FF0000000000000");
  CHECK(twice.is_f64);
  CHECK(twice.bits == 0x3FF0000000000000);
  CHECK(parse_number("1.0").bits == 0x3FF0000000000000);
  CHECK(parse_number("1e0").bits == 0x3FF0000000000000);
  CHECK_FALSE(parse_number("0f3F80").valid);
}
