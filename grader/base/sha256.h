#pragma once
// SHA-256 (nettle's), for the names of the build cache's contents. Submissions are hostile: with a hash that can be
// forged, one student's program could pass for another's.

#include <nettle/sha2.h>

#include <string>
#include <string_view>

namespace cudalabs {

class Sha256 {
 public:
  Sha256() { sha256_init(&state_); }
  Sha256& add(std::string_view bytes);
  /// Adds the length and then the bytes: ("ab", "c") and ("a", "bc") differ.
  Sha256& add_part(std::string_view bytes);
  /// 64 hex digits; call once.
  std::string hex();

 private:
  sha256_ctx state_;
};

}  // namespace cudalabs
