#pragma once
// Reads numbers that people write: options, cells of tables.

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace cudalabs {

/// The number that the whole text is; nothing if it is another text, or too large for the type.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  T number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace cudalabs
