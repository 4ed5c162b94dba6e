#include "grader/sim/ptx/parse/lexer.h"

#include <bit>
#include <charconv>
#include <cstdlib>
#include <string>

#include "grader/diagnostics/messages/faults.h"

namespace cudalabs::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool starts_identifier(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
bool continues_identifier(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }

/// The texts of Bad tokens.
constexpr std::string_view kComment = "comment", kString = "string", kCharacter = "character";

}  // namespace

Message problem_of(const Token& token) {
  if (token.text == kComment) return msg::ptx_comment_open();
  return token.text == kString ? msg::ptx_string_open() : msg::ptx_character_wrong();
}

bool Lexer::skip_blanks() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      ++line_;
      line_start_ = ++position_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position_;
    } else if (c == '/' && at(position_ + 1) == '/') {
      const std::size_t end = text_.find('\n', position_);
      position_ = end == std::string_view::npos ? text_.size() : end;
    } else if (c == '/' && at(position_ + 1) == '*') {
      const std::size_t end = text_.find("*/", position_ + 2);
      if (end == std::string_view::npos) return false;
      for (; position_ < end + 2; ++position_) {
        if (text_[position_] == '\n') {
          ++line_;
          line_start_ = position_ + 1;
        }
      }
    } else {
      break;
    }
  }
  return true;
}

Token Lexer::next() {
  const bool clean = skip_blanks();
  Token token;
  token.offset = position_;
  token.line = line_;
  token.column = static_cast<std::uint32_t>(position_ - line_start_ + 1);
  if (!clean) {
    token.kind = TokenKind::Bad;
    token.text = kComment;
    position_ = text_.size();
  } else if (position_ < text_.size()) {
    const char c = text_[position_];
    if (starts_identifier(c)) {
      identifier(token);
    } else if (c == '.' && continues_identifier(at(position_ + 1))) {
      dotted(token);
    } else if (is_digit(c)) {
      number(token);
    } else if (c == '"') {
      string(token);
    } else {
      punctuation(token);
    }
  }
  token.end = position_;
  return token;
}

void Lexer::identifier(Token& token) {
  const std::size_t start = position_++;
  while (continues_identifier(at(position_))) ++position_;
  token.kind = TokenKind::Identifier;
  token.text = text_.substr(start, position_ - start);
}

void Lexer::dotted(Token& token) {
  const std::size_t start = ++position_;
  while (true) {
    if (continues_identifier(at(position_))) {
      ++position_;
    } else if (at(position_) == ':' && at(position_ + 1) == ':' && continues_identifier(at(position_ + 2))) {
      position_ += 2;
    } else {
      break;
    }
  }
  token.kind = TokenKind::Dotted;
  token.text = text_.substr(start, position_ - start);
}

void Lexer::number(Token& token) {
  const std::size_t start = position_;
  while (is_digit(at(position_))) ++position_;
  const bool fraction = at(position_) == '.' && !starts_identifier(at(position_ + 1));
  if (fraction) {
    ++position_;
    while (is_digit(at(position_))) ++position_;
  }
  const char e = at(position_);
  const std::size_t sign = at(position_ + 1) == '+' || at(position_ + 1) == '-' ? 1 : 0;
  if ((e == 'e' || e == 'E') && is_digit(at(position_ + 1 + sign))) {
    position_ += 1 + sign;
    while (is_digit(at(position_))) ++position_;
  }
  while (continues_identifier(at(position_)))
    ++position_;  // 0x1F, 0f3F800000, 7U; invalid numbers are rejected by their value
  token.kind = TokenKind::Number;
  token.text = text_.substr(start, position_ - start);
}

void Lexer::string(Token& token) {
  const std::size_t start = ++position_;
  while (position_ < text_.size() && text_[position_] != '"' && text_[position_] != '\n') {
    position_ += text_[position_] == '\\' && at(position_ + 1) != '\n' ? 2 : 1;
  }
  if (at(position_) != '"' || position_ >= text_.size()) {
    position_ = position_ < text_.size() ? position_ : text_.size();
    token.kind = TokenKind::Bad;
    token.text = kString;
    return;
  }
  token.kind = TokenKind::String;
  token.text = text_.substr(start, position_ - start);
  ++position_;
}

void Lexer::punctuation(Token& token) {
  static constexpr std::string_view kSingles = "()[]{}<>,;:@!=+-*/%&|^~?";
  static constexpr std::string_view kPairs[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
  token.kind = TokenKind::Punctuation;
  for (const std::string_view pair : kPairs) {
    if (text_.substr(position_, 2) == pair) {
      token.text = text_.substr(position_, 2);
      position_ += 2;
      return;
    }
  }
  if (kSingles.find(text_[position_]) == std::string_view::npos) {
    token.kind = TokenKind::Bad;
    token.text = kCharacter;
  } else {
    token.text = text_.substr(position_, 1);
  }
  ++position_;
}

NumberValue parse_number(std::string_view text) {
  NumberValue value;
  const auto digits = [&](std::size_t skip, int base) {
    std::string_view rest = text.substr(skip);
    if (!rest.empty() && (rest.back() == 'U' || rest.back() == 'u')) rest.remove_suffix(1);
    const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), value.bits, base);
    value.valid = problem == std::errc{} && end == rest.data() + rest.size();
    return value;
  };
  const char second = text.size() > 1 && text[0] == '0' ? text[1] : '\0';
  switch (second) {
    case 'f':
    case 'F':
    case 'd':
    case 'D': {
      value.is_float = true;
      value.is_f64 = second == 'd' || second == 'D';
      const std::size_t length = value.is_f64 ? 18 : 10;
      const auto [end, problem] = std::from_chars(text.data() + 2, text.data() + text.size(), value.bits, 16);
      value.valid = text.size() == length && problem == std::errc{} && end == text.data() + text.size();
      return value;
    }
    case 'x':
    case 'X': return digits(2, 16);
    case 'b':
    case 'B': return digits(2, 2);
    default: break;
  }
  if (text.find_first_of(".eE") != std::string_view::npos) {
    double real = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), real);
    value.is_float = value.is_f64 = true;
    value.valid = problem == std::errc{} && end == text.data() + text.size();
    value.bits = std::bit_cast<std::uint64_t>(real);
    return value;
  }
  return second != '\0' ? digits(1, 8) : digits(0, 10);
}

}  // namespace cudalabs::ptx
