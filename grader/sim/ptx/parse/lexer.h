#pragma once
// Converts PTX text to tokens, one at a time, without copying: tokens are views of the text.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "grader/base/message.h"

namespace cudalabs::ptx {

enum class TokenKind : std::uint8_t {
  End,
  Identifier,   ///< add, %r12, $L__BB0_2, _
  Dotted,       ///< .global, .L1::evict_last; `text` is without the dot
  Number,       ///< 12, 0x1F, 0f3F800000, 1.5e-3
  String,       ///< `text` is the part between the quotes, escapes not decoded
  Punctuation,  ///< one character, or << >> <= >= == != && ||
  Bad,          ///< problem_of() says what is wrong with it
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  std::size_t offset = 0;  ///< of the first character, in the whole text
  std::size_t end = 0;     ///< one past the last character
  std::uint32_t line = 1, column = 1;

  [[nodiscard]] bool is(std::string_view punctuation) const {
    return kind == TokenKind::Punctuation && text == punctuation;
  }
};

/// Of a Bad token.
Message problem_of(const Token& token);

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  /// The next token; End repeatedly after the end of the text. Comments and white space are skipped.
  Token next();

 private:
  bool skip_blanks();  ///< false: an unterminated comment
  [[nodiscard]] char at(std::size_t position) const {
    return position < text_.size() ? text_[position] : '\0';
  }
  void identifier(Token& token);
  void dotted(Token& token);
  void number(Token& token);
  void string(Token& token);
  void punctuation(Token& token);

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

/// The value of a Number token. Float literals keep the bits of their width.
struct NumberValue {
  bool valid = false;
  bool is_float = false;
  bool is_f64 = false;  ///< 0d..., or a decimal point or exponent
  std::uint64_t bits = 0;
};
NumberValue parse_number(std::string_view text);

}  // namespace cudalabs::ptx
