#include "grader/classroom/intake/utf8_name.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

#include "grader/base/text.h"
#include "grader/present/layout.h"

namespace cudalabs {
namespace {

/// The letters of U+00C0 to U+017F without case and accents; '?': it stays.
constexpr std::string_view kLatin =
    "aaaaaaaceeeeiiiidnooooo?ouuuuytsaaaaaaaceeeeiiiidnooooo?ouuuuytyaaaaaaccccccccddddeeeeeeeeeegggggggg"
    "hhhhiiiiiiiiiiiijjkkkllllll??llnnnnnn?nnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(kLatin.size() == 0x180 - 0xc0);

/// A letter of two bytes, folded; 0: an accent that follows its letter.
std::uint32_t folded(std::uint32_t code) {
  if (code >= 0x300 && code < 0x370) return 0;
  if (code >= 0xc0 && code < 0x180) {
    const char letter = kLatin[code - 0xc0];
    return letter == '?' ? code : static_cast<std::uint32_t>(letter);
  }
  if (code == 0x401 || code == 0x451) return 0x435;  // the letter yo
  if (code >= 0x410 && code < 0x430) code += 0x20;   // capitals
  return code == 0x439 ? 0x438 : code;               // the short i
}

}  // namespace

std::string utf8_name(std::string_view name) {
  if (!first_invalid_utf8(name) && steady_json(name) == name) return std::string(name);
  std::string text;
  while (!name.empty()) {
    const std::string_view good = name.substr(0, first_invalid_utf8(name).value_or(name.size()));
    std::string steady;
    for (const char c : good) steady += c == '\\' ? "\\x5c" : std::string(1, c);
    text += steady_json(steady);
    name.remove_prefix(good.size());
    if (name.empty()) break;
    text += fmt::format("\\x{:02x}", static_cast<unsigned char>(name.front()));
    name.remove_prefix(1);
  }
  return text;
}

std::string folded_id(std::string_view id) {
  std::string out;
  for (std::size_t at = 0; at < id.size(); ++at) {
    const auto first = static_cast<unsigned char>(id[at]);
    if (first < 0x80) {
      out += static_cast<char>(first >= 'A' && first <= 'Z' ? first - 'A' + 'a' : first);
      continue;
    }
    const bool two = (first & 0xe0) == 0xc0 && at + 1 < id.size();
    if (!two) {
      out += id[at];
      continue;
    }
    const std::uint32_t code = folded((first & 0x1fU) << 6 | (static_cast<unsigned char>(id[++at]) & 0x3fU));
    if (code == 0) continue;
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else {
      out += static_cast<char>(0xc0 | code >> 6);
      out += static_cast<char>(0x80 | (code & 0x3f));
    }
  }
  return out;
}

}  // namespace cudalabs
