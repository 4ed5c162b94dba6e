#pragma once
// A bit for each byte: was it written?

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace cudalabs::sim {

class ValidBits {
 public:
  explicit ValidBits(std::uint64_t bytes)
      : bytes_(bytes),
        words_(static_cast<std::uint64_t*>(std::calloc(bytes / 64 + 1, sizeof(std::uint64_t)))) {
    if (!words_) throw std::bad_alloc();
  }

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  /// True only if all bits are set; guaranteed true if one call has set all of them.
  [[nodiscard]] bool known_whole() const { return known_whole_; }

  void set(std::uint64_t begin, std::uint64_t end) {
    known_whole_ = known_whole_ || (begin == 0 && end == bytes_);
    each_word(begin, end, [](std::uint64_t& word, std::uint64_t mask) {
      word |= mask;
      return true;
    });
  }
  [[nodiscard]] bool all(std::uint64_t begin, std::uint64_t end) const {
    if (begin < end && (begin ^ (end - 1)) < 64) {  // usually: what one lane accesses
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - (end - begin));
      return (~(words_.get()[begin / 64] >> (begin % 64)) & mask) == 0;
    }
    return const_cast<ValidBits*>(this)->each_word(
        begin, end, [](const std::uint64_t& word, std::uint64_t mask) { return (word & mask) == mask; });
  }
  [[nodiscard]] bool none(std::uint64_t begin, std::uint64_t end) const {
    return const_cast<ValidBits*>(this)->each_word(
        begin, end, [](const std::uint64_t& word, std::uint64_t mask) { return (word & mask) == 0; });
  }
  [[nodiscard]] bool at(std::uint64_t byte) const {
    return ((words_.get()[byte / 64] >> (byte % 64)) & 1) != 0;
  }
  void put(std::uint64_t byte, bool valid) {
    const std::uint64_t bit = std::uint64_t{1} << (byte % 64);
    if (valid)
      words_.get()[byte / 64] |= bit;
    else
      words_.get()[byte / 64] &= ~bit;
    known_whole_ = known_whole_ && valid;
  }
  void clear() {
    std::fill_n(words_.get(), bytes_ / 64 + 1, 0);
    known_whole_ = false;
  }

 private:
  /// Calls f for each word until it returns false; true if it never does.
  template <class F>
  bool each_word(std::uint64_t begin, std::uint64_t end, F f) {
    while (begin < end) {
      const std::uint64_t stop = std::min(end, (begin | 63) + 1);
      const std::uint64_t count = stop - begin;
      const std::uint64_t mask = (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1)
                                 << (begin % 64);
      if (!f(words_.get()[begin / 64], mask)) return false;
      begin = stop;
    }
    return true;
  }
  struct Free {
    void operator()(void* p) const { std::free(p); }
  };
  std::uint64_t bytes_;
  bool known_whole_ = false;
  /// Allocated with calloc: untouched pages of a large allocation take no memory.
  std::unique_ptr<std::uint64_t, Free> words_;
};

}  // namespace cudalabs::sim
