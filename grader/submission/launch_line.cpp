#include "grader/submission/launch_line.h"

#include <algorithm>
#include <string>
#include <utility>

#include "grader/submission/source_text.h"

namespace cudalabs {
namespace {

/// True iff the name whose template arguments begin at `place` is launched.
bool launched_at(std::string_view text, std::size_t place) {
  place = behind_blanks(text, place);
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
    place = behind_blanks(text, place);
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

/// Begin and end of the body of function `name`; empty: it is not defined here.
std::pair<std::size_t, std::size_t> body_of(const std::string& text, std::string_view name) {
  std::pair<std::size_t, std::size_t> body{0, 0};
  each_word(text, name, [&](std::size_t at, int) {
    const std::size_t parameters = behind_blanks(text, at + name.size());
    if (parameters == text.size() || text[parameters] != '(') return;
    const std::size_t open = behind_blanks(text, behind_bracket(text, parameters, ')'));
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
      const bool has = word.empty() || has_word(statement, word);
      if (has) calls.add(line);
      if (has && at >= body.first && at < body.second) inside.add(line);
    });
  }
  return calls.value() != 0 ? calls.value() : inside.value();
}

int library_line(std::string_view source, std::string_view name_space, std::string_view within) {
  const std::string text = without_comments(source);
  const auto body = body_of(text, within);
  int first = 0, inside = 0;
  each_word(text, name_space, [&](std::size_t at, int line) {
    const std::string_view call = std::string_view(text).substr(
        at + name_space.size(), text.find_first_of("(;{", at) - at - name_space.size());
    const std::string_view name = call.substr(0, call.find('<'));
    const bool is_call = call.starts_with("::") && text[at + name_space.size() + call.size()] == '(' &&
                         name.find(' ') == std::string_view::npos;
    if (!is_call || name.ends_with("_cast") || name.find("::make_") != std::string_view::npos) return;
    if (first == 0) first = line;
    if (inside == 0 && at >= body.first && at < body.second) inside = line;
  });
  return inside != 0 ? inside : first;
}

}  // namespace cudalabs
