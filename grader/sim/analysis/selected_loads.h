#pragma once
// Loads whose value some lanes discard. For `if (t == 0) sum += s[0];` nvcc generates a load by all lanes, an
// addition and a selp; clang generates a load by all lanes and an addition under the branch. A lane that
// discards the value counts as not reading it.

#include <vector>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

struct SelectedLoad {
  bool known = false;
  bool when = true;       ///< the value is used where the condition is this
  std::uint32_t reg = 0;  ///< written before the load: a predicate that is the condition, or ...
  bool compares = false;  ///< ... a 32-bit number, and the condition is its equality to
  std::uint32_t number = 0;
};

/// By index into Function::body; empty if there are none. The value is followed from the load to the selp, or
/// to the code under the branch, through arithmetic whose results have no other reader.
std::vector<SelectedLoad> selected_loads(const ptx::Function& function);

}  // namespace cudalabs::sim
