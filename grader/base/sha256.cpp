#include "grader/base/sha256.h"

#include <array>
#include <cstdint>

namespace cudalabs {

Sha256& Sha256::add(std::string_view bytes) {
  sha256_update(&state_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  return *this;
}

Sha256& Sha256::add_part(std::string_view bytes) {
  add(std::to_string(bytes.size()));
  add(":");
  return add(bytes);
}

std::string Sha256::hex() {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&state_, digest.size(), digest.data());
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

}  // namespace cudalabs
