#pragma once
// Reads numbers that people and programs write: options, cells of tables, documents.

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace cudalabs {

/// Removes the number at the beginning of the text and returns it; nothing, and the text stays, if there is
/// none, or if it is too large for the type. There may be no blank and no plus in front of it.
template <class T>
std::optional<T> take_leading_number(std::string_view& text) {
  T number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// The number that the whole text is; nothing if it is another text, or too large for the type.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  const auto number = take_leading_number<T>(text);
  return text.empty() ? number : std::nullopt;
}

/// The same for digits of another base, without a prefix such as 0x.
template <std::integral T>
std::optional<T> parse_number(std::string_view digits, int base) {
  T number{};
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace cudalabs
