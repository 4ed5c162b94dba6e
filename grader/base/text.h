#pragma once
// Text helpers: the nearest existing name for error messages, lines, UTF-8, and text of others made harmless.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"

namespace cudalabs {

/// Number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`; ignores
/// case.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name nearest to `word`, if one is near enough to be a plausible misspelling (about a third of the
/// letters). The first of several equally near ones.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> names);

/// "; did you mean 'speed_points'?", to be appended to a message; "" if no name is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> names);

/// The same as a value: the row `did_you_mean`, or no message.
Message suggestion(std::string_view word, std::span<const std::string> names);

/// "float, double, int": names for a hint.
std::string listed(std::span<const std::string> names);

/// Calls f(line) for each line, its line break included.
template <class F>
void each_line(std::string_view text, F f) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t found = text.find('\n', begin);
    const std::size_t end = found == std::string_view::npos ? text.size() : found + 1;
    f(text.substr(begin, end - begin));
    begin = end;
  }
}

/// May this character stand in a name of C++?
bool in_name(char c);

/// Calls `found` with the place and line of each whole word `name`.
template <class Found>
void each_word(std::string_view text, std::string_view name, Found found) {
  if (name.empty()) return;
  int line = 1;
  for (std::size_t at = 0, counted = 0; (at = text.find(name, at)) != std::string_view::npos;
       at += name.size()) {
    line += static_cast<int>(std::ranges::count(text.substr(counted, at - counted), '\n'));
    counted = at;
    const std::size_t end = at + name.size();
    if ((at > 0 && in_name(text[at - 1])) || (end < text.size() && in_name(text[end]))) continue;
    found(at, line);
  }
}

bool has_word(std::string_view text, std::string_view word);

/// Removes the beginning of `text` up to the first `separator`, and the separator. Returns the beginning: all
/// of the text if there is no separator.
constexpr std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

/// Splits at line breaks (also "\r\n"); the bytes stay as they are.
std::vector<std::string> split_lines(std::string_view text);

/// The offset of the first byte that is not well-formed
/// UTF-8 (overlong forms and surrogates are not), if any.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

/// Makes the output of a submission or its compiler safe to print. Control characters, direction marks and
/// bytes that are not UTF-8 become '?', and tabs become spaces up to the next multiple of four. Line breaks
/// stay.
std::string printable(std::string_view text);

/// The text on one line for a log: the bytes that printable() replaces become \n, \x1b or \u202e. All other
/// bytes stay, also backslashes, so that escaping twice changes nothing.
std::string escaped_bytes(std::string_view text);

/// Escapes the characters that printable() replaces, for example as \u202e. Every program then reads the same
/// strings, and they cannot affect the terminal of a reader. Bytes that are not UTF-8 stay.
std::string steady_json(std::string_view document);

/// Orders "variant2" before "variant10": runs of digits compare as numbers.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace cudalabs
