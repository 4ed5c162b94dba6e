#pragma once
// Hashes that are not collision-resistant. Where somebody could gain from a collision, use base/sha256.h.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

/// For megabytes, some of which may be damaged: four lanes of multiplications side by side, as in xxHash
/// (Collet 2014). A change in one place of a block always changes the hash.
class BulkHash {
 public:
  void add(std::string_view bytes) {
    total_ += bytes.size();
    while (filled_ + bytes.size() >= kBlock) {
      const std::size_t more = kBlock - filled_;
      if (filled_ == 0) {
        block(bytes.data());
      } else {
        std::memcpy(rest_.data() + filled_, bytes.data(), more);
        block(rest_.data());
        filled_ = 0;
      }
      bytes.remove_prefix(more);
    }
    if (bytes.empty()) return;
    std::memcpy(rest_.data() + filled_, bytes.data(), bytes.size());
    filled_ += bytes.size();
  }
  [[nodiscard]] std::uint64_t value() const {
    BulkHash last = *this;  // the rest, padded with zeros: the length says how many
    std::fill(last.rest_.begin() + static_cast<std::ptrdiff_t>(filled_), last.rest_.end(), '\0');
    last.block(last.rest_.data());
    std::uint64_t all = scramble(total_);
    for (const std::uint64_t lane : last.lanes_) all = scramble(all ^ lane);
    return all;
  }

 private:
  static constexpr std::size_t kBlock = 32;

  void block(const char* bytes) {
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      std::uint64_t word;
      std::memcpy(&word, bytes + 8 * k, sizeof word);
      lanes_[k] = std::rotl(lanes_[k] + word * 0xc2b2ae3d27d4eb4fu, 31) * 0x9e3779b185ebca87u;
    }
  }

  std::array<std::uint64_t, 4> lanes_{1, 2, 3, 4};
  std::array<char, kBlock> rest_{};
  std::size_t filled_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace cudalabs
