#pragma once
// Joins the PTX of files that were compiled with -rdc=true, as nvlink joins their machine code: what one
// declares .extern another one defines.

#include <span>
#include <string>
#include <string_view>

#include "grader/support/result.h"

namespace cudalabs::ptx {

struct LinkPart {
  std::string name;  ///< for messages: "parts/there.cu", "libown.a(there.o)"
  std::string_view text;
};

struct LinkedModule {
  std::string text;
  int target_sm = 0;  ///< 80 for sm_80
};

/// The text of one module with everything that the parts define. What a part keeps to itself, and another has
/// by the same name, is renamed; of .weak definitions the first one stays. A diagnostic where a name is
/// defined twice or nowhere: at the line of the source that uses it, where the text tells it, else in the
/// part. It is no judge of the rest: parse() is.
Result<LinkedModule> link(std::span<const LinkPart> parts);

}  // namespace cudalabs::ptx
