#include "grader/toolchain/code/unnamed_variables.h"

#include "grader/base/text.h"

namespace cudalabs {

using std::string_view;

bool has_unnamed_namespace(string_view source) {
  constexpr string_view kNamespace = "namespace";
  for (std::size_t at = source.find(kNamespace); at != string_view::npos;
       at = source.find(kNamespace, at + 1)) {
    const std::size_t next = source.find_first_not_of(" \t\r\n", at + kNamespace.size());
    if (next == string_view::npos) return false;
    // After a comment or an attribute it may still be one.
    if (source[next] == '{' || source[next] == '/' || source[next] == '[') return true;
  }
  return false;
}

std::string with_visible_variables(string_view ir) {
  constexpr string_view kInternal = " = internal ";
  std::string text;
  text.reserve(ir.size() + 64);
  each_line(ir, [&](string_view line) {
    const std::size_t is = line.find(kInternal);
    const bool unnamed = line.starts_with('@') && is != string_view::npos &&
                         line.substr(0, is).find("_GLOBAL__N_") != string_view::npos;
    bool found = false;
    for (const string_view space : {"addrspace(1) ", "addrspace(4) "}) {  // global, constant
      if (!unnamed || !line.substr(is + kInternal.size()).starts_with(space)) continue;
      string_view rest = line.substr(is + kInternal.size() + space.size());
      constexpr string_view kSet = "externally_initialized ";
      if (rest.starts_with(kSet)) rest.remove_prefix(kSet.size());
      text += line.substr(0, is);
      text += " = ";
      text += space;
      text += kSet;
      text += rest;
      found = true;
    }
    if (!found) text += line;
  });
  return text;
}

}  // namespace cudalabs
