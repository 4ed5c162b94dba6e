#include "grader/base/demangle.h"

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

}  // namespace

std::string demangled(std::string_view name) {
  std::string plain(name);
  if (!name.starts_with("_Z") || name.size() > kLongestMangled)
    return plain;  // __cxa_demangle demangles types, too: `s` is "short"
  std::string bytes(kLongestDemangled, '\0');
  Text text{bytes.data(), 0, {}};
  if (read(plain.c_str(), text) != 0) return plain;
  bytes.resize(text.length);
  bytes.shrink_to_fit();
  return bytes;
}

std::string shortened_name(std::string name) {
  constexpr std::size_t kLongest = 1000;
  if (name.size() > kLongest) name.replace(kLongest, std::string::npos, "...");
  return name;
}

}  // namespace cudalabs
