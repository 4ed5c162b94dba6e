#include "grader/base/text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <vector>

#include "grader/diagnostics/messages/base.h"

namespace cudalabs {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

/// Appends a character below U+10000, as all are that printable() replaces, as \u202e.
void append_unicode_escape(std::string& out, std::uint32_t value) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[value >> shift & 15];
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A longer name is no misspelling; the distance takes time quadratic in the length.
constexpr std::size_t kLongestName = 200;

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

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool has_word(std::string_view text, std::string_view word) {
  bool found = false;
  each_word(text, word, [&](std::size_t, int) { found = true; });
  return found;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the usual table: a swap of neighbours refers to the row before the last.
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> names) {
  if (word.size() > kLongestName) return std::nullopt;
  std::optional<std::string> best;
  std::size_t best_distance = 0;
  for (const std::string& name : names) {
    if (name.size() > kLongestName) continue;
    const std::size_t distance = edit_distance(word, name);
    if (distance > (std::max(word.size(), name.size()) + 2) / 3) continue;
    if (best && distance >= best_distance) continue;
    best = name;
    best_distance = distance;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> names) {
  const auto name = nearest(word, names);
  return name ? "; did you mean '" + *name + "'?" : "";
}

Message suggestion(std::string_view word, std::span<const std::string> names) {
  const auto name = nearest(word, names);
  return name ? msg::did_you_mean(*name) : Message();
}

std::string listed(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    begin = end + 1;
  }
  return lines;
}

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = decode(text.substr(i)).bytes;
    if (bytes == 0) return i;
    i += bytes;
  }
  return std::nullopt;
}

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

std::string escaped_bytes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = decode(text);
    const std::size_t bytes = std::max<std::size_t>(1, c.bytes);
    if (c.bytes != 0 && !is_hostile(c.value)) {
      out += text.substr(0, bytes);
    } else if (c.bytes == 1 && c.value == '\n') {
      out += "\\n";
    } else if (c.bytes == 1 && c.value == '\t') {
      out += "\\t";
    } else if (c.bytes <= 1) {
      const auto byte = static_cast<unsigned char>(text[0]);
      out += "\\x";
      out += {kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      append_unicode_escape(out, c.value);
    }
    text.remove_prefix(bytes);
  }
  return out;
}

std::string steady_json(std::string_view document) {
  std::string out;
  out.reserve(document.size());
  while (!document.empty()) {
    const CodePoint c = decode(document);
    const std::size_t bytes = std::max<std::size_t>(1, c.bytes);
    // Outside of strings JSON is ASCII with line breaks. Inside strings its writer already escapes control
    // characters.
    if (c.bytes != 0 && c.value >= 0x7F && is_hostile(c.value)) {
      append_unicode_escape(out, c.value);
    } else {
      out += document.substr(0, bytes);
    }
    document.remove_prefix(bytes);
  }
  return out;
}

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto run = [](std::string_view text, std::size_t& at) {
      while (at < text.size() && text[at] == '0') ++at;
      const std::size_t begin = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      return text.substr(begin, at - begin);
    };
    const std::string_view x = run(a, i), y = run(b, j);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

}  // namespace cudalabs
