#pragma once
// A course as one signed file: "cuda-labs course 1", the signer's public key, a signature (Ed25519), and the
// files, compressed by zstd. The signature covers the compressed files.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

struct PackedFile {
  std::string path;  ///< relative: "configs/labs/lab3/variant4.yaml"
  std::string bytes;
};

/// Signs packs. Whoever has the private key signs as the same person.
class SigningKey {
 public:
  static constexpr std::size_t kBytes = 32;
  /// A new key of random bytes. Error: the machine gives none.
  static Result<SigningKey> fresh();
  /// `text`: as text() wrote it. Error: it is no key.
  static Result<SigningKey> read(std::string_view text);
  [[nodiscard]] std::string text() const;  ///< one line; secret
  [[nodiscard]] const std::array<std::uint8_t, kBytes>& secret() const { return secret_; }

 private:
  std::array<std::uint8_t, kBytes> secret_{};
};

struct Pack {
  std::vector<PackedFile> files;  ///< in the order of their paths
  std::string signer;             ///< names the public key: 32 hex digits
};

/// The file of a pack. The same files and the same key give the same bytes.
std::string write_pack(std::vector<PackedFile> files, const SigningKey& key);

/// Errors: no pack, one of another version, a wrong signature (damaged or changed), a path that leaves its
/// folder, too many files or bytes.
Result<Pack> read_pack(std::string_view bytes);

/// The name that Pack::signer has for what this key signs.
std::string signer_of(const SigningKey& key);

}  // namespace cudalabs
