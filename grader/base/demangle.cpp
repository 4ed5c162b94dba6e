#include "grader/base/demangle.h"

#include <cctype>
#include <csetjmp>

// The C++ runtime's function behind abi::__cxa_demangle. It passes the text piece by piece to `take`, and
// allocates nothing.
extern "C" int __gcclibcxx_demangle_callback(const char* mangled,
                                             void (*take)(const char* piece, std::size_t length, void* text),
                                             void* text);

namespace cudalabs {
namespace {

struct Text {
  char* bytes;
  std::size_t length = 0;
  std::jmp_buf too_long;
};

void take(const char* piece, std::size_t length, void* opaque) {
  Text& text = *static_cast<Text*>(opaque);
  if (length > kLongestDemangled - text.length) std::longjmp(text.too_long, 1);  // jumps over C frames only
  text.length += std::string_view(piece, length).copy(text.bytes + text.length, length);
}

/// Separate from its caller, so that the jump skips no destructor. -1: the name is not mangled, or too long.
int read(const char* name, Text& text) {
  if (setjmp(text.too_long) != 0) return -1;
  return __gcclibcxx_demangle_callback(name, take, &text);
}

/// Without the number that clang gives to a second variable of one name: "_ZZ3addvE4base_$_0".
std::string_view without_clone_number(std::string_view name) {
  const std::size_t mark = name.rfind("_$_");
  const bool numbered = mark != std::string_view::npos && mark + 3 < name.size() &&
                        name.find_first_not_of("0123456789", mark + 3) == std::string_view::npos;
  return numbered ? name.substr(0, mark) : name;
}

/// Without the scope of a file that nvcc puts around what is static there:
/// "_INTERNAL_c26be240_6_sum_cu__Z1kPi::inner::hidden".
void remove_file_scopes(std::string& text) {
  constexpr std::string_view kScope = "_INTERNAL_";
  for (std::size_t at = 0; (at = text.find(kScope, at)) != std::string::npos;) {
    const bool begins =
        at == 0 || (std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0 && text[at - 1] != '_');
    std::size_t end = at;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
      ++end;
    if (begins && text.compare(end, 2, "::") == 0)
      text.erase(at, end + 2 - at);
    else
      at = end;
  }
}

}  // namespace

std::string demangled(std::string_view name) {
  std::string plain(without_clone_number(name));
  if (!name.starts_with("_Z") || name.size() > kLongestMangled)
    return std::string(name);  // __cxa_demangle demangles types, too: `s` is "short"
  std::string bytes(kLongestDemangled, '\0');
  Text text{bytes.data(), 0, {}};
  if (read(plain.c_str(), text) != 0) return std::string(name);
  bytes.resize(text.length);
  remove_file_scopes(bytes);
  bytes.shrink_to_fit();
  return bytes;
}

std::string shortened_name(std::string name) {
  constexpr std::size_t kLongest = 1000;
  if (name.size() > kLongest) name.replace(kLongest, std::string::npos, "...");
  return name;
}

}  // namespace cudalabs
