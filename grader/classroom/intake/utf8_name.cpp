#include "grader/classroom/intake/utf8_name.h"

#include <fmt/format.h>

#include "grader/base/text.h"
#include "grader/present/layout.h"

namespace cudalabs {

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

}  // namespace cudalabs
