#pragma once
// A file of translations in GNU gettext's form, which every translator's tool reads.

#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

/// A row: what is translated (a text, or a message's id), and its translation.
struct PoRow {
  std::string id, text;
  int line = 0;
};

/// The rows but for the head. `name`: of the file, for errors. Errors: a line that is none of a .po file, a
/// row without a translation.
Result<std::vector<PoRow>> read_po(std::string_view po, const std::string& name);

}  // namespace cudalabs
