#pragma once
// Splits the cells of opcodes.def: words, and lists of lists of words.

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace cudalabs::ptx {

/// Calls use(part) for the parts of `text`, without surrounding spaces.
template <class Use>
constexpr void each_part(std::string_view text, char separator, const Use& use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) use(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace cudalabs::ptx
