#pragma once
// Builds text for a terminal, line by line, with the colours and characters that the terminal can show.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cudalabs {

struct ConsoleStyle {
  bool colour = false;
  bool utf8 = true;          ///< false: plain ASCII rules and marks
  int width = 100;           ///< columns; text is wrapped to it and the table drops columns to fit
  bool with_command = true;  ///< show the command that repeats the run
  bool verbose = false;      ///< every failure, and the launches of the timed case

  /// The style for the terminal behind `fd`: its width, UTF-8 by the locale, and colours as was chosen or by
  /// FORCE_COLOR; else if it is a terminal and NO_COLOR is not set.
  static ConsoleStyle for_descriptor(int fd);
  /// Of all styles from now on: "always", "auto" or "never". Returns whether it is one of these.
  static bool choose_colour(std::string_view when);
};

enum class Paint : std::uint8_t { None, Bold, Dim, Good, Bad, Warn };

/// Base class for writers of terminal text. `style` must outlive it.
class TerminalText {
 protected:
  /// The width is the style's, clamped to `narrowest` and `widest`.
  TerminalText(const ConsoleStyle& style, int narrowest, int widest);

  [[nodiscard]] std::string_view ascii_or(std::string_view utf8, std::string_view ascii) const {
    return style_.utf8 ? utf8 : ascii;
  }
  /// Colours do not count towards the width of a text.
  [[nodiscard]] std::string painted(std::string_view text, Paint paint) const;
  /// Adds a line without its trailing blanks.
  void line(std::string_view text = {});

  const ConsoleStyle& style_;
  const std::size_t width_;
  std::string out_;
};

}  // namespace cudalabs
