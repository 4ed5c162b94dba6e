#pragma once
// The content of uninitialized memory.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace cudalabs::sim {

using UnsetWords = std::array<std::uint32_t, 4>;

/// Numbers of both signs, so that one of them is conspicuous in a minimum or a maximum.
inline constexpr UnsetWords kUnsetNumbers{0xCDCDCDCDu, 0xCDCDCDCDu, 0x4DCDCDCDu, 0x4DCDCDCDu};
/// Poison for launches that search for errors: NaNs, which survive multiplication by 0, alternate with the
/// largest numbers of both signs, which survive a maximum that ignores NaNs. As doubles all are NaNs.
inline constexpr UnsetWords kUnsetExtremes{0x7F7FFFFFu, 0x7FFFFFFFu, 0xFF7FFFFFu, 0xFFFFFFFFu};

inline void fill_unset(std::byte* memory, std::size_t bytes, const UnsetWords& words) {
  for (std::size_t at = 0; at < bytes; at += sizeof words)
    std::memcpy(memory + at, words.data(), std::min(sizeof words, bytes - at));
}

}  // namespace cudalabs::sim
