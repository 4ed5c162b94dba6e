#include "grader/classroom/similarity/tokens.h"

#include <algorithm>
#include <array>
#include <string>

#include "grader/classroom/similarity/mix.h"

namespace cudalabs {
namespace {

constexpr std::array<std::string_view, 58> kKeywords = {
    "auto",         "bool",          "break",      "case",         "char",
    "class",        "const",         "constexpr",  "continue",     "default",
    "do",           "double",        "else",       "enum",         "extern",
    "false",        "float",         "for",        "goto",         "if",
    "inline",       "int",           "long",       "namespace",    "nullptr",
    "operator",     "return",        "short",      "signed",       "sizeof",
    "static",       "struct",        "switch",     "template",     "this",
    "true",         "typedef",       "typename",   "union",        "unsigned",
    "using",        "void",          "volatile",   "while",        "__global__",
    "__device__",   "__host__",      "__shared__", "__constant__", "__launch_bounds__",
    "__restrict__", "__syncthreads", "__syncwarp", "threadIdx",    "blockIdx",
    "blockDim",     "gridDim",       "define"};

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_name(char c) { return begins_name(c) || is_digit(c); }

/// Splits a source into tokens, each as a number for its kind.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  /// Returns false at the end.
  bool next(std::uint64_t& token) {
    while (at_ < text_.size()) {
      if (skip()) continue;
      token = take();
      return true;
    }
    return false;
  }

 private:
  [[nodiscard]] char at(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void pass(std::size_t end) { at_ = std::min(end, text_.size()); }

  /// Skips characters that are not part of a token.
  bool skip() {
    const char c = at(0);
    if (c == '\n') line_begins_ = true;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v' || c == '\\' || c == '\0') {
      ++at_;
    } else if (c == '/' && at(1) == '/') {
      pass(text_.find('\n', at_));
    } else if (c == '/' && at(1) == '*') {
      const std::size_t end = text_.find("*/", at_ + 2);
      pass(end == std::string_view::npos ? end : end + 2);
    } else if (c == '#' && line_begins_ && is_include()) {
      pass(text_.find('\n', at_));
    } else {
      return false;
    }
    return true;
  }

  [[nodiscard]] bool is_include() const {
    const std::size_t word = text_.find_first_not_of(" \t", at_ + 1);
    return word != std::string_view::npos &&
           (text_.substr(word).starts_with("include") || text_.substr(word).starts_with("pragma"));
  }

  std::uint64_t take() {
    line_begins_ = false;
    const char c = at(0);
    if (begins_name(c)) return name();
    if (is_digit(c) || (c == '.' && is_digit(at(1)))) {
      while (in_name(at(0)) || at(0) == '.' || (at(0) == '\'' && in_name(at(1)))) ++at_;
      return 'n';
    }
    if (c == '"' || c == '\'') {
      quoted(c);
      return 's';
    }
    ++at_;
    return static_cast<unsigned char>(c);
  }

  std::uint64_t name() {
    const std::size_t begin = at_;
    while (in_name(at(0))) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (at(0) == '"' && word.ends_with('R')) {
      const std::size_t open = text_.find('(', at_);
      const std::string end = open == std::string_view::npos || open - at_ > 17
                                  ? std::string()
                                  : ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
      const std::size_t close = end.empty() ? std::string_view::npos : text_.find(end, open);
      pass(close == std::string_view::npos ? close : close + end.size());
      return 's';
    }
    for (const std::string_view keyword : kKeywords)
      if (word == keyword) return number_of(word);
    return 'i';
  }

  void quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    pass(at_ + 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool line_begins_ = true;
};

}  // namespace

std::vector<std::uint64_t> tokens_of(std::string_view source) {
  Tokens tokens(source);
  std::vector<std::uint64_t> all;
  for (std::uint64_t token = 0; tokens.next(token);) all.push_back(token);
  return all;
}

}  // namespace cudalabs
