#include "grader/present/layout.h"

#include <algorithm>
#include <cstdint>

namespace cudalabs {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  ///< 0: not well-formed
};

CodePoint decode(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t value = lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(text[i])) return {};
    value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  static constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[bytes] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return {};
  return {value, bytes};
}

/// Returns whether a character would move the cursor, change colours or reverse the text around it.
bool is_hostile(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || c == 0x61C;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const CodePoint c = decode(text);
    if (c.value == '\n' && c.bytes == 1) {
      out += '\n';
      column = 0;
    } else if (c.value == '\t' && c.bytes == 1) {
      const std::size_t spaces = 4 - column % 4;
      out.append(spaces, ' ');
      column += spaces;
    } else {
      if (c.bytes == 0 || is_hostile(c.value)) {
        if (c.value != '\r' || c.bytes == 0) out += '?';
      } else {
        out += text.substr(0, c.bytes);
      }
      ++column;
    }
    text.remove_prefix(std::max<std::size_t>(1, c.bytes));
  }
  return out;
}

std::string steady_json(std::string_view document) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(document.size());
  while (!document.empty()) {
    const CodePoint c = decode(document);
    const std::size_t bytes = std::max<std::size_t>(1, c.bytes);
    // Outside of strings JSON is ASCII with line breaks. Inside strings its writer already escapes control
    // characters.
    if (c.bytes != 0 && c.value >= 0x7F && is_hostile(c.value)) {
      out += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4)
        out += kDigits[c.value >> shift & 15];  // all are below U+10000
    } else {
      out += document.substr(0, bytes);
    }
    document.remove_prefix(bytes);
  }
  return out;
}

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
