#pragma once
// The generic address space of a simulated thread: 64-bit numbers, whose window determines the state space.

#include <cstdint>

namespace cudalabs::sim {

// Far from the mappings of a Linux process, so that a host pointer is never mistaken for a device pointer,
// and so that a client could map device memory at the same address.
inline constexpr std::uint64_t kGlobalBase = 0x2000'0000'0000;
inline constexpr std::uint64_t kSharedWindow = 0x1000'0000'0000;
inline constexpr std::uint64_t kLocalWindow = 0x1100'0000'0000;
inline constexpr std::uint64_t kParamWindow = 0x1200'0000'0000;
inline constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 32;

inline bool in_window(std::uint64_t address, std::uint64_t window) { return address - window < kWindowBytes; }

}  // namespace cudalabs::sim
