#include "grader/program/unchecked_calls.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "grader/submission/source_text.h"

namespace cudalabs {
namespace {

constexpr auto kNone = std::string_view::npos;

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// The place of the name in this line; kNone: it is not there.
std::size_t find_call(const std::string& code, std::uint32_t line, std::string_view call) {
  std::size_t found = kNone;
  each_word(code, call, [&](std::size_t at, int here) {
    if (found == kNone && std::cmp_equal(here, line)) found = at;
  });
  return found;
}

std::string_view without_blank_end(std::string_view code) {
  while (!code.empty() && is_blank(code.back())) code.remove_suffix(1);
  return code;
}

std::string_view last_word(std::string_view code) {
  std::size_t begin = code.size();
  while (begin > 0 && in_name(code[begin - 1])) --begin;
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
  std::size_t at = find_call(text, line, call);
  if (at == kNone) return false;
  std::size_t behind = at + call.size();
  if (code.substr(behind).starts_with("<")) behind = code.find('(', behind);  // cudaMalloc<float>(...)
  behind = behind_blanks(code, behind);
  if (behind >= code.size() || code[behind] != '(') return false;
  behind = behind_blanks(code, behind_bracket(code, behind, ')'));
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
