#include "grader/submission/array_names.h"

#include <array>
#include <utility>

#include "grader/diagnostics/messages/faults.h"
#include "grader/diagnostics/messages/sim.h"
#include "grader/submission/source_text.h"

namespace cudalabs {
namespace {

/// The parts of "float*, Pair<int, 4>, int (&)[3]" between its commas.
std::vector<std::string_view> parameters_of(std::string_view list) {
  std::vector<std::string_view> parts;
  if (behind_blanks(list, 0) == list.size()) return parts;
  int brackets = 0, angles = 0;  // a '>' in brackets compares
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i == list.size() ? ',' : list[i];
    if (c == '(' || c == '[' || c == '{') ++brackets;
    if (c == ')' || c == ']' || c == '}') --brackets;
    if (brackets == 0 && c == '<') ++angles;
    if (brackets == 0 && c == '>') --angles;
    if (c != ',' || (i != list.size() && (brackets != 0 || angles != 0))) continue;
    parts.push_back(list.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

/// What stands in the bracket that opens at `open`.
std::string_view inside_bracket(std::string_view text, std::size_t open) {
  const std::size_t behind = behind_bracket(text, open, ')');
  return text.substr(open + 1, behind - open - (text[behind - 1] == ')' ? 2 : 1));
}

/// The parameters of "void scale<4>(float*, int)".
std::vector<std::string_view> signature_parameters(std::string_view kernel) {
  if (!kernel.ends_with(')')) return {};
  std::size_t open = kernel.size();
  for (int depth = 0; open-- > 0;) {
    depth += kernel[open] == ')' ? 1 : kernel[open] == '(' ? -1 : 0;
    if (depth == 0) return parameters_of(inside_bracket(kernel, open));
  }
  return {};
}

/// Words that end a type and are no name.
bool is_type_word(std::string_view word) {
  constexpr std::array<std::string_view, 14> kWords{
      "bool",  "char",   "const",  "double",   "float",    "int",          "long",
      "short", "signed", "size_t", "unsigned", "volatile", "__restrict__", "__restrict"};
  for (const std::string_view one : kWords)
    if (word == one) return true;
  return false;
}

/// "a" of "const float* __restrict__ a = nullptr" and of "float a[]"; "" if the parameter has no name.
std::string name_of(std::string_view parameter) {
  parameter = parameter.substr(0, parameter.find_first_of("=["));
  while (!parameter.empty() && behind_blanks(parameter, parameter.size() - 1) == parameter.size())
    parameter.remove_suffix(1);
  std::size_t begin = parameter.size();
  while (begin > 0 && in_name(parameter[begin - 1])) --begin;
  const std::string_view name = parameter.substr(begin), type = parameter.substr(0, begin);
  const bool has_type = behind_blanks(type, 0) != type.size() && !type.ends_with(':');
  return name.empty() || !has_type || is_type_word(name) ? std::string() : std::string(name);
}

std::string name_in(const std::vector<std::string_view>& sources, const std::string& kernel,
                    std::int64_t number) {
  for (const std::string_view source : sources) {
    const auto names = parameter_names(source, kernel);
    if (number >= 1 && std::cmp_less_equal(number, names.size()))
      return names[static_cast<std::size_t>(number - 1)];
  }
  return {};
}

/// Each row that names an array ends with "kernel:text number:integer name:text".
bool names_array(const Message& message) {
  return message.is(msg::array_element) || message.is(msg::array_name) || message.is(msg::memory_parameter);
}

}  // namespace

std::vector<std::string> parameter_names(std::string_view source, std::string_view kernel) {
  const std::string text = without_comments(source);
  const std::size_t count = signature_parameters(kernel).size();
  std::vector<std::string> names;
  bool several = false;
  each_word(text, plain_name(kernel), [&](std::size_t at, int) {
    if (statement_before(text, at).find("__global__") == std::string_view::npos) return;
    const std::size_t open = behind_blanks(text, at + plain_name(kernel).size());
    if (open == text.size() || text[open] != '(') return;
    std::vector<std::string> found;
    for (const std::string_view one : parameters_of(inside_bracket(text, open)))
      found.push_back(name_of(one));
    if (found.size() != count) return;
    several |= !names.empty() && names != found;
    names = std::move(found);
  });
  return several ? std::vector<std::string>() : names;
}

Message with_array_names(const Message& message, const std::vector<std::string_view>& sources) {
  if (message.empty()) return message;
  std::vector<Argument> arguments = message.arguments();
  for (Argument& argument : arguments) {
    if (auto* const inner = std::get_if<Messages>(&argument)) *inner = with_array_names(*inner, sources);
  }
  if (names_array(message)) {
    const std::size_t last = arguments.size() - 1;
    arguments[last] = name_in(sources, std::get<std::string>(arguments[last - 2]),
                              std::get<std::int64_t>(arguments[last - 1]));
  }
  return {message.row(), std::move(arguments)};
}

Messages with_array_names(const Messages& messages, const std::vector<std::string_view>& sources) {
  Messages named;
  for (const Message& message : messages) named.add(with_array_names(message, sources));
  return named;
}

}  // namespace cudalabs
