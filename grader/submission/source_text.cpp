#include "grader/submission/source_text.h"

namespace cudalabs {

std::string_view plain_name(std::string_view kernel) {
  constexpr std::string_view kResult = "void ", kUnnamed = "(anonymous namespace)::";
  if (kernel.starts_with(kResult)) kernel.remove_prefix(kResult.size());
  std::size_t end = kernel.find_first_of("<(");
  for (; end < kernel.size() && kernel.substr(end).starts_with(kUnnamed); end = kernel.find_first_of("<("))
    kernel.remove_prefix(end + kUnnamed.size());
  const std::string_view whole = kernel.substr(0, end);
  const std::size_t scope = whole.rfind(':');
  return scope == std::string_view::npos ? whole : whole.substr(scope + 1);
}

std::string without_comments(std::string_view source) {
  std::string text(source);
  const auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, text.size()); ++i)
      if (text[i] != '\n') text[i] = ' ';
  };
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::string_view rest = source.substr(i);
    std::size_t end = i;
    if (rest.starts_with("//")) {
      end = source.find('\n', i);
    } else if (rest.starts_with("/*")) {
      const std::size_t close = source.find("*/", i + 2);
      end = close == std::string_view::npos ? close : close + 2;
    } else if (rest[0] == '"' || (rest[0] == '\'' && (i == 0 || !in_name(source[i - 1])))) {  // not 1'000
      end = i + 1;
      while (end < source.size() && source[end] != rest[0] && source[end] != '\n')
        end += source[end] == '\\' ? 2 : 1;
      ++end;
    } else {
      continue;
    }
    end = std::min(end, source.size());
    blank(i, end);
    i = end - 1;
  }
  return text;
}

std::string code_of(std::string_view source) {
  std::string text = without_comments(source);
  bool inside = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t first = text.find_first_not_of(" \t", begin);
    inside |= first < end && text[first] == '#';
    const bool goes_on = end > begin && text[end - 1] == '\\';
    if (inside)
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin),
                text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    inside &= goes_on;
    begin = end + 1;
  }
  return text;
}

std::string_view statement_before(std::string_view text, std::size_t place) {
  const std::string_view before = text.substr(0, place);
  const std::size_t begin = before.find_last_of(";{}");
  return begin == std::string_view::npos ? before : before.substr(begin + 1);
}

std::size_t behind_bracket(std::string_view text, std::size_t open, char closes) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == text[open]) ++depth;
    if (text[at] == closes && --depth == 0) return at + 1;
  }
  return text.size();
}

std::size_t behind_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

}  // namespace cudalabs
