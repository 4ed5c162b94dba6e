#pragma once
// Markup as a type. A page is an Html, and an Html comes from literals of the code, numbers, other Html and
// text that was escaped (escape.h). A text of anybody else does not convert to one, so that it cannot reach a
// page unescaped.

#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "grader/diagnostics/language.h"

namespace cudalabs::html {

class Html;

/// What may become a part of a page: a literal, or an Html that lives at least as long.
class Piece {
 public:
  /// Only the compiler calls it, so the text is one of the code.
  consteval Piece(const char* literal) : text_(literal) {}  // NOLINT(google-explicit-constructor)
  Piece(const Html& html);                                  // NOLINT(google-explicit-constructor)
  [[nodiscard]] constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

template <class T>
concept IsNumber = std::is_arithmetic_v<T> && !std::same_as<T, char>;

/// What a hole of a format may hold.
template <class T>
concept Harmless = IsNumber<T> || std::same_as<T, Html> || std::same_as<T, Piece>;

class Html {
 public:
  Html() = default;
  explicit Html(Piece piece) : text_(piece.text()) {}

  Html& operator+=(Piece piece) {
    text_ += piece.text();
    return *this;
  }
  friend Html operator+(Html left, Piece right) { return std::move(left += right); }
  friend Html operator+(Piece left, const Html& right) { return Html(left) += right; }
  friend Html operator+(Html left, const Html& right) { return std::move(left += right); }

  [[nodiscard]] bool empty() const { return text_.empty(); }
  /// The bytes, for the file that a page becomes.
  [[nodiscard]] const std::string& text() const& { return text_; }
  [[nodiscard]] std::string text() && { return std::move(text_); }

  bool operator==(const Html&) const = default;

 private:
  struct Trusted {};
  Html(Trusted /*how*/, std::string text) : text_(std::move(text)) {}

  // Everything that makes markup of something else.
  friend Html escaped(std::string_view text, std::size_t columns);
  friend Html prose(std::string_view text, std::size_t columns);
  template <Harmless... T>
  friend Html format(fmt::format_string<const T&...> format, const T&... values);
  template <Harmless... T>
  friend Html markup(fmt::format_string<const T&...> format, const T&... values);

  std::string text_;
};

inline Piece::Piece(const Html& html) : text_(html.text()) {}

}  // namespace cudalabs::html

template <>
struct fmt::formatter<cudalabs::html::Piece> : fmt::formatter<fmt::string_view> {
  auto format(cudalabs::html::Piece piece, fmt::format_context& context) const {
    const std::string_view text = piece.text();
    return fmt::formatter<fmt::string_view>::format({text.data(), text.size()}, context);
  }
};
template <>
struct fmt::formatter<cudalabs::html::Html> : fmt::formatter<cudalabs::html::Piece> {};

namespace cudalabs::html {

/// Like fmt::format(), of a literal that is markup.
template <Harmless... T>
Html format(fmt::format_string<const T&...> format, const T&... values) {
  return {Html::Trusted(), fmt::format(format, values...)};
}

/// The same in the language of the reader: each text between the tags, and each label for screen readers, is
/// a row of grader/diagnostics/<language>.po, which is ours.
template <Harmless... T>
Html markup(fmt::format_string<const T&...> format, const T&... values) {
  const fmt::string_view text = format;
  return {Html::Trusted(), translated_markup({text.data(), text.size()}, fmt::make_format_args(values...))};
}

}  // namespace cudalabs::html
