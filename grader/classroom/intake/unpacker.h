#pragma once
// Decompresses gzip, bzip2, xz and zstd piece by piece, so that the caller decides whether to continue. (One
// libarchive call may decompress everything, and compressed data may be nested.)

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace cudalabs {

class Unpacker {
 public:
  /// Chooses the format by the first bytes; null if it is none of these. `packed` must outlive the result.
  static std::unique_ptr<Unpacker> of(std::string_view packed);

  virtual ~Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  /// Writes at least one byte to `out` and returns the number; 0 at the end. Nothing: the data are damaged or
  /// truncated.
  virtual std::optional<std::size_t> next(std::span<char> out) = 0;

 protected:
  Unpacker() = default;
};

}  // namespace cudalabs
