#include "grader/present/terminal/terminal_text.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace cudalabs {

namespace {

std::optional<bool> chosen_colour;  // none: by the environment and the terminal

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool wants_colour(bool terminal) {
  if (chosen_colour) return *chosen_colour;
  const char* const forced = std::getenv("FORCE_COLOR");
  if (is_set("FORCE_COLOR")) return std::strcmp(forced, "0") != 0;
  const char* const term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::strcmp(term, "dumb") == 0;
  return terminal && !dumb && !is_set("NO_COLOR");
}

}  // namespace

bool ConsoleStyle::choose_colour(std::string_view when) {
  if (when == "auto") {
    chosen_colour.reset();
    return true;
  }
  chosen_colour = when == "always";
  return when == "always" || when == "never";
}

ConsoleStyle ConsoleStyle::for_descriptor(int fd) {
  ConsoleStyle style;
  const bool terminal = isatty(fd) != 0;
  style.colour = wants_colour(terminal);
  winsize size{};
  if (terminal && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) style.width = size.ws_col;
  // The first of these that is set decides, as in every program. A bare "C" does not support UTF-8.
  style.utf8 = false;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale(value);
    style.utf8 =
        locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos ||
        locale.find("UTF8") != std::string_view::npos || locale.find("utf-8") != std::string_view::npos;
    break;
  }
  return style;
}

TerminalText::TerminalText(const ConsoleStyle& style, int narrowest, int widest)
    : style_(style), width_(static_cast<std::size_t>(std::clamp(style.width, narrowest, widest))) {}

std::string TerminalText::painted(std::string_view text, Paint paint) const {
  if (!style_.colour || paint == Paint::None || text.empty()) return std::string(text);
  static constexpr const char* kCodes[] = {"", "1", "2", "32", "31", "33"};
  return fmt::format("\033[{}m{}\033[0m", kCodes[static_cast<int>(paint)], text);
}

void TerminalText::line(std::string_view text) {
  out_ += text;
  while (!out_.empty() && out_.back() == ' ') out_.pop_back();
  out_ += '\n';
}

}  // namespace cudalabs
