#include "grader/program/unchecked_calls.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace cudalabs {
namespace {

constexpr auto kNone = std::string_view::npos;

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// The source with blanks in place of comments, the insides of literals and the preprocessor's lines, so that
/// every place keeps its offset.
std::string code_of(std::string_view source) {
  std::string code(source);
  const auto erase = [&](std::size_t begin, std::size_t end) {
    for (; begin < std::min(end, code.size()); ++begin)
      if (code[begin] != '\n') code[begin] = ' ';
  };
  bool line_begins = true;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    std::size_t end = i;
    if (source.substr(i).starts_with("//")) {
      end = std::min(source.find('\n', i), source.size());
    } else if (source.substr(i).starts_with("/*")) {
      end = std::min(source.find("*/", i + 2), source.size() - 2) + 2;
    } else if (c == '#' && line_begins) {
      do {
        end = std::min(source.find('\n', end + 1), source.size());
      } while (end < source.size() && source[end - 1] == '\\');
    } else if (c == '"' || (c == '\'' && (i == 0 || !in_word(source[i - 1])))) {
      for (++end; end < source.size() && source[end] != c && source[end] != '\n'; ++end)
        if (source[end] == '\\') ++end;
      erase(i + 1, end);  // keeps the quotes
      i = end;
      continue;
    }
    if (end > i) {
      erase(i, end);
      i = end - 1;
      continue;
    }
    line_begins = c == '\n' || (line_begins && is_blank(c));
  }
  return code;
}

/// The place of the name in this line; kNone: it is not there.
std::size_t find_call(std::string_view code, std::uint32_t line, std::string_view call) {
  std::size_t begin = 0;
  for (; line > 1; --line) {
    begin = code.find('\n', begin);
    if (begin == kNone) return kNone;
    ++begin;
  }
  const std::size_t end = std::min(code.find('\n', begin), code.size());
  for (std::size_t at = code.find(call, begin); at < end; at = code.find(call, at + 1)) {
    const std::size_t behind = at + call.size();
    if ((at == 0 || !in_word(code[at - 1])) && (behind >= code.size() || !in_word(code[behind]))) return at;
  }
  return kNone;
}

/// The place behind the parenthesis that closes the one at `open`.
std::size_t behind_parentheses(std::string_view code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (code[i] == '(') ++depth;
    if (code[i] == ')' && --depth == 0) return i + 1;
  }
  return kNone;
}

std::string_view without_blank_end(std::string_view code) {
  while (!code.empty() && is_blank(code.back())) code.remove_suffix(1);
  return code;
}

std::string_view last_word(std::string_view code) {
  std::size_t begin = code.size();
  while (begin > 0 && in_word(code[begin - 1])) --begin;
  return code.substr(begin);
}

/// Returns whether a statement can begin behind this code.
bool ends_statement(std::string_view code) {
  code = without_blank_end(code);
  if (code.empty() || code.back() == ';' || code.back() == '{' || code.back() == '}') return true;
  const std::string_view word = last_word(code);
  if (word == "else" || word == "do") return true;
  if (code.back() != ')') return false;
  int depth = 0;
  std::size_t open = code.size();
  while (open > 0) {
    --open;
    if (code[open] == ')') ++depth;
    if (code[open] == '(' && --depth == 0) break;
  }
  const std::string_view keyword = last_word(without_blank_end(code.substr(0, open)));
  return keyword == "if" || keyword == "for" || keyword == "while";
}

}  // namespace

bool drops_result(std::string_view source, std::uint32_t line, std::string_view call) {
  const std::string text = code_of(source);
  const std::string_view code = text;
  std::size_t at = find_call(code, line, call);
  if (at == kNone) return false;
  std::size_t behind = at + call.size();
  if (code.substr(behind).starts_with("<")) behind = code.find('(', behind);  // cudaMalloc<float>(...)
  while (behind < code.size() && is_blank(code[behind])) ++behind;
  if (behind >= code.size() || code[behind] != '(') return false;
  behind = behind_parentheses(code, behind);
  while (behind < code.size() && is_blank(code[behind])) ++behind;
  if (behind >= code.size() || code[behind] != ';') return false;
  if (code.substr(0, at).ends_with("::")) at -= 2;
  return ends_statement(code.substr(0, at));
}

std::vector<const ApiError*> unchecked_calls(const CallOutcome& outcome, const SourceReader& read) {
  std::vector<const ApiError*> calls;
  std::map<std::string, std::string> sources;
  for (const ApiError& failed : outcome.api_errors) {
    if (failed.asked || failed.is_launch() || failed.is_answer() || follows_fault(failed)) continue;
    if (failed.file.empty()) continue;
    const auto [source, fresh] = sources.try_emplace(failed.file);
    if (fresh) source->second = read(failed.file);
    const bool told = std::ranges::any_of(calls, [&](const ApiError* other) {  // in a loop
      return other->file == failed.file && other->line == failed.line && other->error == failed.error;
    });
    if (!told && drops_result(source->second, failed.line, failed.call)) calls.push_back(&failed);
  }
  return calls;
}

}  // namespace cudalabs
