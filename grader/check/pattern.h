#pragma once
// Describes in words which elements are wrong. The shape of the error leads to the bug.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cudalabs {

/// Name of one element along a dimension: "row", "column", "element". `size` is the name of the dimension's
/// size in the contract ("rows", "cols", "n").
std::string unit_name(const std::string& size, std::size_t dimension, std::size_t dimensions);

/// "every 33rd row", "the last 8 rows (992..999)", "all rows", "row 5"; "" if there is no short description.
/// `wrong` is ascending, not empty, and below `extent`.
std::string describe_indices(std::span<const std::int64_t> wrong, std::int64_t extent,
                             const std::string& unit);

/// Does the same for places in a row-major array. Returns "all of them" if all are wrong.
std::string describe_places(std::span<const std::size_t> wrong, std::span<const std::int64_t> extents,
                            std::span<const std::string> units);

}  // namespace cudalabs
