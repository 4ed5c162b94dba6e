#include "grader/sim/base/demangle.h"

#include <cctype>

#include "grader/base/demangle.h"

namespace cudalabs::sim {
namespace {

/// Nsight Compute prints bool template arguments as 0 and 1, and literals without their type: "<(int)2>" is
/// "<2>".
std::string plain_arguments(std::string s) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = s.find(from); at != std::string::npos; at = s.find(from, at + to.size())) {
      const std::size_t end = at + from.size();
      const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
      if ((at > 0 && word(s[at - 1])) || (end < s.size() && word(s[end]))) continue;
      s.replace(at, from.size(), to);
    }
  };
  replace("true", "1");
  replace("false", "0");
  for (std::size_t at = s.find('('); at != std::string::npos; at = s.find('(', at + 1)) {
    const std::size_t close = s.find(')', at);
    if (close == std::string::npos || close + 1 >= s.size()) break;
    const char next = s[close + 1];
    if (at > 0 && (s[at - 1] == '<' || s[at - 1] == ' ') &&
        (std::isdigit(static_cast<unsigned char>(next)) != 0 || next == '-')) {
      s.erase(at, close - at + 1);
    }
  }
  for (std::size_t i = 1; i < s.size(); ++i) {  // 32u, 5ul
    if ((s[i] == 'u' || s[i] == 'l') && (std::isdigit(static_cast<unsigned char>(s[i - 1])) != 0) &&
        (i + 1 == s.size() || s[i + 1] == ',' || s[i + 1] == '>' || s[i + 1] == 'l' || s[i + 1] == 'u')) {
      s.erase(i--, 1);
    }
  }
  return s;
}

}  // namespace

std::string demangle(std::string_view mangled, bool base_only) {
  const std::string full = demangled(mangled);
  if (!base_only || full == mangled) return shortened_name(full);
  // The parameter list is the last parenthesis at template depth 0; a template's return type precedes the
  // name.
  int depth = 0;
  std::size_t end = full.size(), begin = 0;
  for (std::size_t i = 0; i < full.size(); ++i) {
    const char c = full[i];
    if (c == '<') ++depth;
    if (c == '>') --depth;
    if (depth == 0 && c == '(' && full.compare(i, 21, "(anonymous namespace)") == 0) {
      i += 20;
      continue;
    }
    if (depth == 0 && c == '(') {
      end = i;
      break;
    }
    if (depth == 0 && c == ' ') begin = i + 1;
  }
  return shortened_name(plain_arguments(full.substr(begin, end - begin)));
}

}  // namespace cudalabs::sim
