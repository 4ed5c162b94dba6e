#pragma once
// SHA-256, for the names of the build cache's contents. Submissions are hostile: with a hash that can be
// forged, one student's program could pass for another's.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cudalabs {

class Sha256 {
 public:
  Sha256() : Sha256(false) {}
  /// `portably`: avoids SHA instructions, which some processors lack.
  explicit Sha256(bool portably);
  Sha256& add(std::string_view bytes);
  /// Adds the length and then the bytes: ("ab", "c") and ("a", "bc") differ.
  Sha256& add_part(std::string_view bytes);
  /// 64 hex digits; call once.
  std::string hex();

 private:
  void blocks(const unsigned char* bytes, std::size_t count);

  bool portably_;
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> buffer_{};
  std::size_t filled_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace cudalabs
