#pragma once
// Hashes that are not collision-resistant. Where somebody could gain from a collision, use base/sha256.h;
// for megabytes, base/bulk_hash.h.

#include <cstdint>
#include <string_view>

namespace cudalabs {

/// The finalizer of splitmix64 (Steele, Lea, Flood 2014): a bijection that spreads every bit over all.
constexpr std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// FNV-1a (Fowler, Noll, Vo), 64 bits.
class Fnv1a {
 public:
  /// `symbol` is usually a byte; a value that is no byte separates.
  constexpr void add(std::uint64_t symbol) { value_ = (value_ ^ symbol) * 0x100000001b3u; }
  constexpr void add_bytes(std::string_view bytes) {
    for (const char c : bytes) add(static_cast<unsigned char>(c));
  }
  /// Adds the eight bytes of `number`, the lowest first.
  constexpr void add_number(std::uint64_t number) {
    for (int bit = 0; bit < 64; bit += 8) add(number >> bit & 0xff);
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace cudalabs
