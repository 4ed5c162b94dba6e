#pragma once
// Files of /proc, read with as little work as they are read often.

#include <charconv>
#include <string>
#include <string_view>

namespace cudalabs {

/// All of it; empty if it cannot be read.
std::string proc_text(const std::string& path);

/// Takes the next number off the front of `text`, and the blanks before it. False: there is none.
template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const std::size_t begin = text.find_first_not_of(" \n\t");
  if (begin == std::string_view::npos) return false;
  const auto [end, problem] = std::from_chars(text.data() + begin, text.data() + text.size(), number);
  if (problem != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace cudalabs
