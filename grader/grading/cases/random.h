#pragma once
// Counter-based random numbers. The value at a place depends only on the key and the place, so any part of a
// buffer can be made alone, and every platform makes the same values.

#include <cstdint>
#include <initializer_list>

#include "grader/base/hash/hash.h"

namespace cudalabs {

/// Combines several numbers into one key; their order matters.
constexpr std::uint64_t mix_key(std::initializer_list<std::uint64_t> parts) {
  std::uint64_t key = 0;
  for (const std::uint64_t part : parts) key = scramble(key ^ scramble(part));
  return key;
}

class Random {
 public:
  explicit constexpr Random(std::uint64_t key) : key_(key) {}

  [[nodiscard]] constexpr std::uint64_t bits(std::uint64_t place) const {
    return scramble(key_ + place * 0x9e3779b97f4a7c15u);
  }
  /// A multiple of 2^-53 in [0, 1).
  [[nodiscard]] constexpr double unit(std::uint64_t place) const {
    return static_cast<double>(bits(place) >> 11) * 0x1p-53;
  }
  /// A number in [0, count). The bias of 2^-64 count does not matter here.
  [[nodiscard]] constexpr std::uint64_t below(std::uint64_t place, std::uint64_t count) const {
    return bits(place) % count;
  }

 private:
  std::uint64_t key_;
};

}  // namespace cudalabs
