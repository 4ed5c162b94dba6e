#pragma once
// Numbers that stand for what they were made of.

#include <cstdint>
#include <string_view>

namespace cudalabs {

/// A number of both, in this order (the finalizer of splitmix64; Steele, Lea, Flood 2014).
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/// FNV-1a.
inline std::uint64_t number_of(std::string_view word) {
  std::uint64_t value = 0xcbf29ce484222325u;
  for (const char c : word) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return value;
}

}  // namespace cudalabs
