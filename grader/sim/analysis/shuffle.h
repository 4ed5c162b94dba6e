#pragma once
// The source lane of shfl.sync: PTX ISA, "shfl.sync".

#include <cstdint>

namespace cudalabs::sim {

enum class Shuffle : std::uint8_t { Up, Down, Butterfly, Index };

struct ShuffleSource {
  std::uint32_t lane = 0;  ///< the reader's own if the requested one is out of range
  bool in_range = false;   ///< the predicate result of shfl
};

/// `b`, `c`: the lane's second and third operands.
inline ShuffleSource shuffle_source(Shuffle mode, std::uint32_t lane, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t clamp = c & 31, segment = (c >> 8) & 31, delta = b & 31;
  const std::uint32_t low = lane & segment, high = low | (clamp & ~segment);
  std::uint32_t from = lane;
  bool in_range = false;
  switch (mode) {
    case Shuffle::Up:
      from = lane - delta;
      in_range = static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(high);
      break;
    case Shuffle::Down: from = lane + delta; break;
    case Shuffle::Butterfly: from = lane ^ delta; break;
    case Shuffle::Index: from = low | (delta & ~segment); break;
  }
  if (mode != Shuffle::Up) in_range = from <= high;
  return {in_range ? from : lane, in_range};
}

}  // namespace cudalabs::sim
