#pragma once
// Hash functions for the fingerprints.

#include <cstdint>
#include <string_view>

#include "grader/base/hash/hash.h"

namespace cudalabs {

/// A hash of both numbers, in this order.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  return scramble(a * 0x9e3779b97f4a7c15u + b + 0xc4f46be25a6a6404u);
}

inline std::uint64_t number_of(std::string_view word) {
  Fnv1a hash;
  hash.add_bytes(word);
  return hash.value();
}

}  // namespace cudalabs
