#include "grader/submission/source_encoding.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace cudalabs {
namespace {

enum class Order : std::uint8_t { Little, Big };

/// Latin text in UTF-16 has a zero in nearly every second byte, and nowhere else.
std::optional<Order> order_of(const std::string& text) {
  if (text.size() < 2 || text.size() % 2 != 0) return std::nullopt;
  if (text.starts_with("\xff\xfe")) return Order::Little;
  if (text.starts_with("\xfe\xff")) return Order::Big;
  std::size_t zeros[2] = {};
  for (std::size_t i = 0; i < text.size(); ++i) zeros[i % 2] += text[i] == '\0' ? 1 : 0;
  const std::size_t most = text.size() / 2 * 3 / 4;
  if (zeros[0] == 0 && zeros[1] > most) return Order::Little;
  if (zeros[1] == 0 && zeros[0] > most) return Order::Big;
  return std::nullopt;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&out](std::uint32_t bits) { out += static_cast<char>(bits); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) return byte(0xc0 | code >> 6), byte(0x80 | (code & 0x3f));
  if (code < 0x10000)
    return byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f));
  byte(0xf0 | code >> 18);
  byte(0x80 | (code >> 12 & 0x3f));
  byte(0x80 | (code >> 6 & 0x3f));
  byte(0x80 | (code & 0x3f));
}

std::string from_utf16(const std::string& text, Order order) {
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]),
               second = static_cast<unsigned char>(text[at + 1]);
    return static_cast<std::uint32_t>(order == Order::Little ? first | second << 8 : first << 8 | second);
  };
  std::string out;
  for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
    std::uint32_t code = unit(at);
    if (code == 0xfeff && at == 0) continue;
    if (code >= 0xd800 && code < 0xe000) {
      const std::uint32_t low = at + 3 < text.size() ? unit(at + 2) : 0;
      const bool pair = code < 0xdc00 && low >= 0xdc00 && low < 0xe000;
      code = pair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
      if (pair) at += 2;
    }
    append_utf8(out, code);
  }
  return out;
}

}  // namespace

bool make_utf8(std::string& text) {
  const auto order = order_of(text);
  if (order) text = from_utf16(text, *order);
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  if (text.find('\n') == std::string::npos) std::ranges::replace(text, '\r', '\n');
  return order.has_value();
}

}  // namespace cudalabs
