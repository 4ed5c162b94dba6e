#pragma once
// Describes in words which elements are wrong. The shape of the error leads to the bug.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/course/lab.h"

namespace cudalabs {

/// Name of one element along a dimension: "row", "column", "element". `size` is the name of the dimension's
/// size in the contract ("rows", "cols", "n").
std::string unit_name(const std::string& size, std::size_t dimension, std::size_t dimensions);

/// The names of all dimensions of a parameter; that of a vector's numbers is "component".
std::vector<std::string> units_of(const Parameter& parameter);

/// "every 33rd row", "the last 8 rows (992..999)", "all rows", "row 5"; no message if nothing can be said
/// briefly. `wrong` is ascending, not empty, below `extent`.
Message describe_indices(std::span<const std::int64_t> wrong, std::int64_t extent, const std::string& unit);

/// The same for places in a row-major array. "all of them" when that is so.
Message describe_places(std::span<const std::size_t> wrong, std::span<const std::int64_t> extents,
                        std::span<const std::string> units);

}  // namespace cudalabs
