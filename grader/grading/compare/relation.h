#pragma once
// What all wrong values have in common with the right ones: a factor, a difference, or that they are indices.

#include <cstddef>
#include <vector>

#include "grader/base/message.h"

namespace cudalabs {

/// An element of an output.
struct ValuePair {
  std::size_t index = 0;  ///< in row-major order
  double got = 0, expected = 0;
  bool accepted = false;
};

/// `pairs`: all elements of the output, at least three of them wrong. `slack`: the rounding of one value, as
/// a part of it; 0 for integers. No message if nothing holds for each element.
Message relation_of(const std::vector<ValuePair>& pairs, double slack);

}  // namespace cudalabs
