#pragma once
// Counter-based random numbers: the value at a place depends on the key and the place only, so any part of a
// buffer can be made by itself and every platform makes the same.

#include <cstdint>
#include <initializer_list>

#include "grader/support/hash.h"

namespace cudalabs {

/// One key out of several numbers; their order matters.
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
  /// In [0, 1), a multiple of 2^-53.
  [[nodiscard]] constexpr double unit(std::uint64_t place) const {
    return static_cast<double>(bits(place) >> 11) * 0x1p-53;
  }
  /// In [0, count); the bias of 2^-64 count does not matter here.
  [[nodiscard]] constexpr std::uint64_t below(std::uint64_t place, std::uint64_t count) const {
    return bits(place) % count;
  }

 private:
  std::uint64_t key_;
};

}  // namespace cudalabs
