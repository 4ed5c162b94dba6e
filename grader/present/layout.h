#pragma once
// Text for a terminal: safe to print, wrapped, aligned. Widths are counted in code points.

#include <string>
#include <string_view>
#include <vector>

#include "grader/base/text.h"  // printable()

namespace cudalabs {

std::size_t display_width(std::string_view text);
/// Returns `count` columns of the text, from column `first` on.
std::string columns(std::string_view text, std::size_t first, std::size_t count);
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);
std::string repeat(std::string_view piece, std::size_t count);

/// Breaks at spaces so that no line is wider than `width` (a longer word gets its own line). Keeps line
/// breaks and the indentation of each line. Never returns an empty list.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace cudalabs
