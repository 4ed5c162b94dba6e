#pragma once
// Finds the variable that a line of the source uses before it is set.

#include <string>
#include <string_view>

namespace cudalabs {

struct UnsetVariable {
  std::string name;   ///< "" if no variable of the line, or several, are declared without a value
  std::string start;  ///< "float sum = 0", "float sums[4] = {}"
};

/// The only variable of line `line` whose nearest declaration above gives it no value.
UnsetVariable unset_variable(std::string_view source, int line);

}  // namespace cudalabs
