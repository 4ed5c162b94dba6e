#include "grader/present/layout.h"

#include <algorithm>

namespace cudalabs {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::string columns(std::string_view text, std::size_t first, std::size_t count) {
  const auto place = [text](std::size_t column) {
    std::size_t at = 0;
    for (; at < text.size(); ++at)
      if (!is_continuation(text[at]) && column-- == 0) break;
    return at;
  };
  const std::size_t begin = place(first);
  return std::string(text.substr(begin, place(first + count) - begin));
}

std::string repeat(std::string_view piece, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += piece;
  return out;
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t have = display_width(text);
  return std::string(text) + std::string(width > have ? width - have : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t have = display_width(text);
  return std::string(width > have ? width - have : 0, ' ') + std::string(text);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    std::string line(rest.substr(0, std::min(rest.find_first_not_of(' '), rest.size())));
    rest.remove_prefix(line.size());
    bool fresh = true;  // only indentation on the line so far
    while (!rest.empty()) {
      const std::size_t space = std::min(rest.find(' '), rest.size());
      const std::string_view word = rest.substr(0, space);
      if (!fresh && display_width(line) + 1 + display_width(word) > width) {
        lines.push_back(std::move(line));
        line.clear();
        fresh = true;
      }
      if (!word.empty()) {
        if (!fresh) line += ' ';
        line += word;
        fresh = false;
      }
      rest.remove_prefix(std::min(space + 1, rest.size()));
    }
    lines.push_back(std::move(line));
    if (end == text.size()) return lines;
    text.remove_prefix(end + 1);
  }
}

}  // namespace cudalabs
