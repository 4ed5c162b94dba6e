#include "grader/submission/array_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "grader/diagnostics/messages/faults.h"
#include "grader/diagnostics/messages/sim.h"
#include "grader/submission/source_text.h"
#include "grader/submission/unset_variable.h"

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

/// The place behind the template arguments that open at `at`, if any do.
std::size_t behind_arguments(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] == '<' ? behind_blanks(text, behind_bracket(text, at, '>')) : at;
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

/// "" also where sources name it differently.
std::string name_in(const std::vector<std::string_view>& sources, const std::string& kernel,
                    std::int64_t number) {
  std::string name;
  for (const std::string_view source : sources) {
    const auto names = parameter_names(source, kernel);
    if (number < 1 || std::cmp_greater(number, names.size())) continue;
    const std::string& here = names[static_cast<std::size_t>(number - 1)];
    if (!name.empty() && name != here) return {};
    name = here;
  }
  return name;
}

/// Bytes of the elements of a __shared__, __device__ or __constant__ array that the text declares with a
/// built-in type; 0: it does not, or differently in several places.
std::int64_t declared_width(std::string_view source, const std::string& name) {
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 8> kTypes{{{"char", 1},
                                                                                    {"bool", 1},
                                                                                    {"short", 2},
                                                                                    {"double", 8},
                                                                                    {"long", 8},
                                                                                    {"float", 4},
                                                                                    {"int", 4},
                                                                                    {"unsigned", 4}}};
  const std::string text = code_of(source);
  std::int64_t width = -1;
  each_word(text, name, [&](std::size_t at, int) {
    const std::size_t bracket = behind_blanks(text, at + name.size());
    const std::string statement(statement_before(text, at));
    const auto has = [&](std::string_view word) { return has_word(statement, word); };
    if (bracket == text.size() || text[bracket] != '[' ||
        !(has("__shared__") || has("__device__") || has("__constant__")))
      return;
    const auto type = std::ranges::find_if(kTypes, [&](const auto& one) { return has(one.first); });
    const std::int64_t here = type == kTypes.end() ? 0 : type->second;
    width = width == -1 || width == here ? here : 0;
  });
  return std::max<std::int64_t>(width, 0);
}

/// The rows of variables end with "name:text width:integer sized:integer".
bool names_variable(const Message& message) {
  return message.is(msg::access_out_of_variable) || message.is(msg::access_out_of_shared_memory);
}

/// Each row that names an array ends with "kernel:text number:integer name:text".
bool names_array(const Message& message) {
  return message.is(msg::array_element) || message.is(msg::array_name) || message.is(msg::memory_parameter);
}

/// In both rows "line:integer name:text" are first, and the advice ends with "start:text".
bool names_unset_variable(const Message& message) {
  return message.is(msg::unset_variable_read) || message.is(msg::advice_set_variable);
}

void name_unset_variable(std::vector<Argument>& arguments, const std::vector<std::string_view>& sources) {
  UnsetVariable found;
  for (const std::string_view source : sources) {
    UnsetVariable here = unset_variable(source, static_cast<int>(std::get<std::int64_t>(arguments[0])));
    if (here.name.empty()) continue;
    if (!found.name.empty() && found.name != here.name) return;
    found = std::move(here);
  }
  arguments[1] = found.name;
  if (arguments.size() > 2) arguments[2] = found.start;
}

}  // namespace

std::vector<std::string> parameter_names(std::string_view source, std::string_view kernel) {
  const std::string text = code_of(source);
  const std::size_t count = signature_parameters(kernel).size();
  std::vector<std::string> names;
  bool several = false;
  each_word(text, plain_name(kernel), [&](std::size_t at, int) {
    if (statement_before(text, at).find("__global__") == std::string_view::npos) return;
    const std::size_t open = behind_arguments(text, behind_blanks(text, at + plain_name(kernel).size()));
    if (open == text.size() || text[open] != '(') return;
    std::vector<std::string> found;
    for (const std::string_view one : parameters_of(inside_bracket(text, open)))
      found.push_back(name_of(one));
    if (kernel.ends_with(')') && found.size() != count) return;  // the name of an extern "C" kernel is bare
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
  if (names_unset_variable(message)) name_unset_variable(arguments, sources);
  if (names_variable(message)) {
    const std::size_t last = arguments.size() - 1;
    const auto& full = std::get<std::string>(arguments[last - 2]);
    const std::size_t scope = full.rfind(':');
    const std::string name = scope == std::string::npos ? full : full.substr(scope + 1);
    std::int64_t width = 0;
    for (const std::string_view source : sources) width = std::max(width, declared_width(source, name));
    arguments[last] = std::int64_t{width == std::get<std::int64_t>(arguments[last - 1])};
  }
  return {message.row(), std::move(arguments)};
}

Messages with_array_names(const Messages& messages, const std::vector<std::string_view>& sources) {
  Messages named;
  for (const Message& message : messages) named.add(with_array_names(message, sources));
  return named;
}

}  // namespace cudalabs
