#pragma once
// Reads the text of a .cu file as far as names and brackets go: without types, macros and templates.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace cudalabs {

/// May this character stand in a name?
bool in_name(char c);

/// "row_sum" of "(anonymous namespace)::row_sum<32>" and of "void row_sum<32>(float*)"
std::string_view plain_name(std::string_view kernel);

/// The same text with the same length, but with blanks for comments and literals.
std::string without_comments(std::string_view source);

/// Likewise, with blanks for preprocessor directives, too: the parameters of a macro are no names.
std::string code_of(std::string_view source);

/// The part of the statement before `place`: after the last ';', '{' or '}'.
std::string_view statement_before(std::string_view text, std::size_t place);

/// The place behind the bracket that closes the one at `open`; the text's end if none does.
std::size_t behind_bracket(std::string_view text, std::size_t open, char closes);

/// The place of the first character at or behind `at` that is no blank; the text's end if there is none.
std::size_t behind_blanks(std::string_view text, std::size_t at);

/// Calls `found` with the place and line of each whole word `name`.
template <class Found>
void each_word(const std::string& text, std::string_view name, Found found) {
  if (name.empty()) return;
  int line = 1;
  for (std::size_t at = 0, counted = 0; (at = text.find(name, at)) != std::string::npos; at += name.size()) {
    line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                        text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    const std::size_t end = at + name.size();
    if ((at > 0 && in_name(text[at - 1])) || (end < text.size() && in_name(text[end]))) continue;
    found(at, line);
  }
}

}  // namespace cudalabs
