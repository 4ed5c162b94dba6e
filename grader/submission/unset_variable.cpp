#include "grader/submission/unset_variable.h"

#include <algorithm>
#include <array>
#include <set>

#include "grader/submission/source_text.h"

namespace cudalabs {
namespace {

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(behind_blanks(text, 0));
  while (!text.empty() && behind_blanks(text, text.size() - 1) == text.size()) text.remove_suffix(1);
  return text;
}

/// Is it the type of a thread's own variable: "const float", "std::size_t", "Pair<int, 4>*"?
bool is_type(std::string_view text) {
  constexpr std::array<std::string_view, 9> kNoTypes{"return", "else",   "goto",       "case",     "delete",
                                                     "using",  "extern", "__shared__", "constexpr"};
  const auto in_type = [](char c) {
    return in_name(c) || std::string_view(" \t\n\r:<>,*").find(c) != std::string_view::npos;
  };
  if (text.empty() || !std::ranges::all_of(text, in_type)) return false;
  if (std::ranges::count(text, '<') != std::ranges::count(text, '>')) return false;  // `i < n` compares
  return std::ranges::none_of(kNoTypes, [&](std::string_view word) { return has_word(text, word); });
}

/// "[4][2]" at `at`, or nothing.
std::string_view extents(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && text[end] == '[') end = behind_blanks(text, behind_bracket(text, end, ']'));
  return text.substr(at, end - at);
}

/// The declaration of the variable with a value; "" if the word at `at` is not declared there, or has one.
std::string start_of(const std::string& text, std::size_t at, std::string_view name) {
  const std::string_view type = trimmed(statement_before(text, at));
  const std::size_t behind = behind_blanks(text, at + name.size());
  const std::string_view size = extents(text, behind);
  const std::size_t end = behind + size.size();
  if (!is_type(type) || end == text.size() || (text[end] != ';' && text[end] != ',')) return {};
  const std::string variable = std::string(name) + std::string(trimmed(size));
  const bool is_alone = type.find(',') == std::string_view::npos;
  const std::array<std::string_view, 4> numbers{"float", "double", "int", "unsigned"};
  const bool is_number = std::ranges::find(numbers, type) != numbers.end() && size.empty();
  return (is_alone ? std::string(type) + ' ' : std::string()) + variable + (is_number ? " = 0" : " = {}");
}

/// Is the word at `at` declared there, with or without a value?
bool is_declared(const std::string& text, std::size_t at) {
  return is_type(trimmed(statement_before(text, at)));
}

std::set<std::string_view> words_of_line(std::string_view text, int line) {
  std::size_t begin = 0;
  for (; line > 1 && begin != std::string_view::npos; --line) {
    begin = text.find('\n', begin);
    if (begin != std::string_view::npos) ++begin;
  }
  std::set<std::string_view> words;
  if (begin == std::string_view::npos) return words;
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  for (std::size_t i = begin; i < end;) {
    std::size_t stop = i;
    while (stop < end && in_name(text[stop])) ++stop;
    if (stop > i && (i == 0 || (text[i - 1] != '.' && text[i - 1] != '>')))
      words.insert(text.substr(i, stop - i));
    i = std::max(stop, i + 1);
  }
  return words;
}

}  // namespace

UnsetVariable unset_variable(std::string_view source, int line) {
  const std::string text = code_of(source);
  UnsetVariable found;
  for (const std::string_view word : words_of_line(text, line)) {
    std::string start;
    each_word(text, word, [&](std::size_t at, int here) {
      if (here <= line && is_declared(text, at)) start = start_of(text, at, word);
    });
    if (start.empty()) continue;
    if (!found.name.empty()) return {};
    found = {std::string(word), start};
  }
  return found;
}

}  // namespace cudalabs
