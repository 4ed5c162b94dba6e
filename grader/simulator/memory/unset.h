#pragma once
// What memory holds that nobody has written.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cudalabs::sim {

using UnsetWords = std::array<std::uint32_t, 4>;

/// Of both signs, so that one of them stands out in a minimum or a maximum.
inline constexpr UnsetWords kUnsetNumbers{0xCDCDCDCDu, 0xCDCDCDCDu, 0x4DCDCDCDu, 0x4DCDCDCDu};
/// NaNs, which no product with 0 takes away, by turns with the largest numbers of both signs, which a maximum
/// that leaves out NaNs does not; as doubles NaNs alone. In launches that look for trouble.
inline constexpr UnsetWords kUnsetExtremes{0x7F7FFFFFu, 0x7FFFFFFFu, 0xFF7FFFFFu, 0xFFFFFFFFu};

inline void fill_unset(std::byte* memory, std::size_t bytes, const UnsetWords& words) {
  for (std::size_t at = 0; at < bytes; at += sizeof words)
    std::memcpy(memory + at, words.data(), std::min(sizeof words, bytes - at));
}

}  // namespace cudalabs::sim
