#pragma once
// Loads whose value is thrown away in some lanes: nvcc makes `if (t == 0) sum += s[0];` a load by all lanes,
// an addition and a selp, clang a load by all lanes and an addition where t is 0 and the sum is wanted. What
// a lane throws away it did not read.

#include <vector>

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

struct SelectedLoad {
  bool known = false;
  bool when = true;       ///< the value is kept where the condition is this
  std::uint32_t reg = 0;  ///< written before the load: a predicate that is the condition, or
  bool compares = false;  ///< a number of 32 bits, and the condition is whether it equals
  std::uint32_t number = 0;
};

/// By index into Function::body; empty if there are none. Followed from the load to the selp, or under the
/// branch, through arithmetic whose results nobody else reads.
std::vector<SelectedLoad> selected_loads(const ptx::Function& function);

}  // namespace cudalabs::sim
