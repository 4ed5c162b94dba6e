#pragma once
// Links the PTX of files that were compiled with -rdc=true, as nvlink links their machine code: it resolves
// .extern declarations to definitions in other files.

#include <span>
#include <string>
#include <string_view>

#include "grader/base/result.h"

namespace cudalabs::ptx {

struct LinkPart {
  std::string name;  ///< for messages: "parts/there.cu", "libown.a(there.o)"
  std::string_view text;
};

struct LinkedModule {
  std::string text;
  int target_sm = 0;  ///< 80 for sm_80
};

/// The text of one module with all definitions of the parts. A part's private name is renamed if another part
/// uses it; the first .weak definition is kept. A diagnostic if a name is defined twice or not at all: at the
/// source line that uses it, if the text gives one, otherwise in the part. It does not validate the rest:
/// parse() does.
Result<LinkedModule> link(std::span<const LinkPart> parts);

}  // namespace cudalabs::ptx
