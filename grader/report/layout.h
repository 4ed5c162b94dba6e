#pragma once
// Text for a terminal: safe to print, wrapped, aligned. Widths are counted in code points.

#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

/// What a submission or its compiler wrote, made safe to print: control characters, direction marks and bytes
/// that are not UTF-8 become '?', tabs become spaces up to the next multiple of four. Line breaks stay.
std::string printable(std::string_view text);

/// A JSON document whose strings are the same to every program, and cannot steer who looks at it: what
/// printable() replaces stands as \u202e. Bytes that are not UTF-8 stay.
std::string steady_json(std::string_view document);

std::size_t display_width(std::string_view text);
/// `count` of its columns from the one with index `first` on.
std::string columns(std::string_view text, std::size_t first, std::size_t count);
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);
std::string repeat(std::string_view piece, std::size_t count);

/// Breaks at spaces so that no line is wider than `width` (a longer word stands alone); keeps line breaks and
/// the indentation of a line that follows one. Never returns an empty list.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace cudalabs
