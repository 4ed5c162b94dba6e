#include "grader/device/server/card_ptx.h"

#include <charconv>

namespace cudalabs {
namespace {

/// The number behind the first occurrence of `words`, and how many digits it has. None: 0 and 0.
struct Number {
  int value = 0;
  std::size_t begin = 0, length = 0;
};
Number number_behind(std::string_view ptx, std::string_view words) {
  Number number;
  const std::size_t at = ptx.find(words);
  if (at == std::string_view::npos) return number;
  number.begin = at + words.size();
  const auto [end, problem] =
      std::from_chars(ptx.data() + number.begin, ptx.data() + ptx.size(), number.value);
  if (problem == std::errc()) number.length = static_cast<std::size_t>(end - ptx.data()) - number.begin;
  return number;
}

}  // namespace

bool by_clang(std::string_view ptx) {
  return ptx.substr(0, ptx.find(".version")).find("LLVM") != std::string_view::npos;
}

std::string ptx_for_card(std::string_view ptx, int compute_capability) {
  std::string text(ptx);
  // Replace the target first: it stands behind the version, whose offset then does not change.
  if (const Number target = number_behind(text, "\n.target sm_");
      target.length > 0 && target.value < compute_capability)
    text.replace(target.begin, target.length, std::to_string(compute_capability));
  if (const Number version = number_behind(text, "\n.version "); version.length > 0 && version.value < 8)
    text.replace(version.begin, text.find('\n', version.begin) - version.begin, "8.0");
  return text;
}

}  // namespace cudalabs
