#include "grader/submission/launch_line.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudalabs {
namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// "row_sum" of "(anonymous namespace)::row_sum<32>"
std::string_view plain_name(std::string_view kernel) {
  constexpr std::string_view kScope = "(anonymous namespace)::";
  while (kernel.starts_with(kScope)) kernel.remove_prefix(kScope.size());
  const std::size_t end = std::min(kernel.find_first_of("<("), kernel.size());
  const std::string_view whole = kernel.substr(0, end);
  const std::size_t scope = whole.rfind(':');
  return scope == std::string_view::npos ? whole : whole.substr(scope + 1);
}

/// The same text with the same length, but with blanks for comments and literals.
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

/// The part of the statement before `place`: after the last ';', '{' or '}'.
std::string_view statement_before(std::string_view text, std::size_t place) {
  const std::string_view before = text.substr(0, place);
  const std::size_t begin = before.find_last_of(";{}");
  return begin == std::string_view::npos ? before : before.substr(begin + 1);
}

/// True iff the name whose template arguments begin at `place` is launched.
bool launched_at(std::string_view text, std::size_t place) {
  const auto skip_blanks = [&] {
    while (place < text.size() && std::isspace(static_cast<unsigned char>(text[place])) != 0) ++place;
  };
  skip_blanks();
  const auto chevrons = [&] { return text.substr(place).starts_with("<<<"); };
  if (!chevrons() && place < text.size() && text[place] == '<') {
    int open = 0;
    for (; place < text.size() && text[place] != ';'; ++place) {
      open += text[place] == '<' || text[place] == '('   ? 1
              : text[place] == '>' || text[place] == ')' ? -1
                                                         : 0;
      if (open == 0) break;
    }
    place = std::min(place + 1, text.size());
    skip_blanks();
  }
  return chevrons();
}

/// The only line; 0 if there are several.
struct OnlyLine {
  int line = 0;
  bool several = false;

  void add(int another) {
    several |= line != 0 && line != another;
    line = another;
  }
  [[nodiscard]] int value() const { return several ? 0 : line; }
};

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

/// The place behind the bracket that closes the one at `open`; the text's end if none does.
std::size_t behind_bracket(std::string_view text, std::size_t open, char closes) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == text[open]) ++depth;
    if (text[at] == closes && --depth == 0) return at + 1;
  }
  return text.size();
}

/// Begin and end of the body of function `name`; empty: it is not defined here.
std::pair<std::size_t, std::size_t> body_of(const std::string& text, std::string_view name) {
  std::pair<std::size_t, std::size_t> body{0, 0};
  const auto skip = [&](std::size_t at) {
    return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
  };
  each_word(text, name, [&](std::size_t at, int) {
    const std::size_t parameters = skip(at + name.size());
    if (parameters == text.size() || text[parameters] != '(') return;
    const std::size_t open = skip(behind_bracket(text, parameters, ')'));
    if (open < text.size() && text[open] == '{') body = {open, behind_bracket(text, open, '}')};
  });
  return body;
}

}  // namespace

int launch_line(std::string_view source, std::string_view kernel) {
  const std::string_view name = plain_name(kernel);
  const std::string text = without_comments(source);
  OnlyLine launches, mentions;
  each_word(text, name, [&](std::size_t at, int line) {
    if (statement_before(text, at).find("__global__") != std::string_view::npos) return;
    mentions.add(line);
    if (launched_at(text, at + name.size())) launches.add(line);
  });
  return launches.line != 0 ? launches.value() : mentions.value();
}

int call_line(std::string_view source, std::string_view function, std::string_view word,
              std::string_view within) {
  const std::string text = without_comments(source);
  const auto body = body_of(text, within);
  OnlyLine calls, inside;
  for (const std::string& name : {std::string(function), std::string(function) + "Async"}) {
    each_word(text, name, [&](std::size_t at, int line) {
      const std::string statement = text.substr(at, text.find(';', at) - at);
      bool has = word.empty();
      each_word(statement, word, [&](std::size_t, int) { has = true; });
      if (has) calls.add(line);
      if (has && at >= body.first && at < body.second) inside.add(line);
    });
  }
  return calls.value() != 0 ? calls.value() : inside.value();
}

}  // namespace cudalabs
