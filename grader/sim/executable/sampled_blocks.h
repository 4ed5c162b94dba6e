#pragma once
// Selects the blocks of a large grid that are examined closely, because examining all would take too long.

#include <cstdint>

namespace cudalabs::sim {

/// Marks a launch of which only one block runs, whatever its number.
struct OneBlock {};

/// True for one block of each of `parts` parts of the grid. They are not at regular distances, which could
/// all be in one column of a two-dimensional grid. The selection depends only on `draw`.
inline bool is_drawn(std::uint64_t block, std::uint64_t blocks, std::uint64_t parts, std::uint64_t draw) {
  if (blocks <= parts) return true;
  if (parts == 0) return false;
  const std::uint64_t part = blocks / parts;
  return block % part == ((block / part + draw) * 0x9E3779B97F4A7C15u >> 32) % part;
}

/// True for the first, the last and the drawn blocks.
inline bool is_sampled(std::uint64_t block, std::uint64_t blocks, std::uint64_t parts,
                       std::uint64_t draw = 0) {
  return block == 0 || block + 1 == blocks || is_drawn(block, blocks, parts, draw);
}

}  // namespace cudalabs::sim
